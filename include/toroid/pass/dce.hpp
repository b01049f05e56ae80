#pragma once
// dce: nodes that no output needs are dropped.

#include <toroid/pass/rewrite.hpp>

namespace toroid {

namespace detail {

/// By node: some output needs it, or it is an input.
constexpr growable<bool> live_nodes(const graph_view& g) {
    growable<bool> live(g.size, false);
    for (int i = 0; i < g.output_count; ++i) live[g.outputs[i].node] = true;
    // Inputs stay: their extents define symbols and are checked at entry, read or not.
    for (int i = 0; i < g.size; ++i) live[i] = live[i] || g.nodes[i].code == op::input;
    for (int i = g.size - 1; i >= 0; --i)
        if (live[i])
            for (int k = 0; k < 3 && g.nodes[i].operands[k] >= 0; ++k) live[g.nodes[i].operands[k]] = true;
    return live;
}
constexpr bool all_of(const growable<bool>& flags) {
    for (int i = 0; i < flags.size(); ++i)
        if (!flags[i]) return false;
    return true;
}
constexpr graph only(const graph_view& g, const growable<bool>& live) {
    rewriter pass(g);
    for (int i = 0; i < g.size; ++i)
        if (live[i]) pass.map[i] = pass.to.push(pass.renamed(i));
    return pass.finish();
}

} // namespace detail

/// Keeps what the outputs reach, in the same order. Unused parameters lose their node, not their number.
constexpr graph dce(graph g) {
    const growable<bool> live = detail::live_nodes(g.view());
    if (detail::all_of(live)) return g;
    return detail::only(g.view(), live);
}
constexpr graph dce(const graph_view& g) { return dce(copy_of(g)); }

} // namespace toroid
