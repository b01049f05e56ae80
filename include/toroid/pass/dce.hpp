#pragma once
// dce: nodes that no output needs are dropped.

#include <toroid/pass/rewrite.hpp>

namespace toroid {

/// Keeps what the outputs reach, in the same order. Unused parameters lose their node, not their number.
constexpr graph dce(const graph_view& g) {
    growable<bool> live(g.size, false);
    for (int i = 0; i < g.output_count; ++i) live[g.outputs[i].node] = true;
    // Inputs stay: their extents define symbols and are checked at entry, read or not.
    for (int i = 0; i < g.size; ++i) live[i] = live[i] || g.nodes[i].code == op::input;
    for (int i = g.size - 1; i >= 0; --i)
        if (live[i])
            for (const int operand : g.nodes[i].operands)
                if (operand >= 0) live[operand] = true;
    rewriter pass(g);
    for (int i = 0; i < g.size; ++i)
        if (live[i]) pass.map[i] = pass.to.push(pass.renamed(i));
    return pass.finish();
}

} // namespace toroid
