#pragma once
// The frames of a pass: rewriter builds a new graph, renaming edits one in place. Both validate what they hand over.

#include <toroid/core/fault.hpp>
#include <toroid/graph/validate.hpp>

namespace toroid {

/// Stops constant evaluation: a pass produced a graph that `validate` rejects; the pass before it in the call stack is at fault.
[[noreturn]] inline void pass_broke_the_graph() { fault("pass broke the graph"); }

/// The graph, if it is valid.
constexpr graph validated(graph g) {
    if (!validate(g.view()).ok()) pass_broke_the_graph();
    return g;
}

/// Nodes of one graph that stand for others; readers are renamed as the pass reaches them.
struct renaming {
    growable<int> map;
    bool changed = false; ///< some node was replaced
    bool edited = false; ///< some node was rewritten in its place

    constexpr explicit renaming(int nodes) {
        map.reserve(nodes);
        for (int i = 0; i < nodes; ++i) map.push(i);
    }
    constexpr void rename(node& n) const {
        if (!changed) return;
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) n.operands[k] = map[n.operands[k]];
    }
    /// `equal` takes the place of `old`, and its label if it has none.
    constexpr void replace(graph& g, int old, int equal) {
        map[old] = equal;
        changed = true;
        if (g.nodes[equal].label < 0) g.nodes[equal].label = g.nodes[old].label;
    }
    /// A graph in which nothing changed is as valid as it was.
    constexpr graph finish(graph g) const {
        if (!changed && !edited) return g;
        for (graph_output& output : g.outputs) output.node = map[output.node];
        return validated(static_cast<graph&&>(g));
    }
};

/// A graph being rebuilt from another: `map[old]` is the new number of an old node.
struct rewriter {
    graph_view from;
    graph to;
    growable<int> map;

    constexpr explicit rewriter(const graph_view& g) : from(g), to(graph::with_tables_of(g)), map(g.size, -1) {}

    /// A node of `from` with its operands renamed.
    [[nodiscard]] constexpr node renamed(int i) const {
        node n = from.nodes[i];
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) n.operands[k] = map[n.operands[k]];
        return n;
    }

    /// Keeps the user's label when an unlabelled node replaces a labelled one.
    constexpr void carry_label(int old, int replacement) {
        if (from.nodes[old].label >= 0 && to.nodes[replacement].label < 0)
            to.nodes[replacement].label = from.nodes[old].label;
    }

    /// Adds a node of the given operation.
    constexpr int add(op code, dtype type, int shape, int a = -1, int b = -1, int c = -1, std::int64_t payload = 0) {
        node n;
        n.code = code;
        n.type = type;
        n.shape = shape;
        n.operands[0] = a;
        n.operands[1] = b;
        n.operands[2] = c;
        n.payload = payload;
        return to.push(n);
    }
    /// Adds a constant of the given dtype and shape.
    constexpr int constant(dtype type, int shape, double value) {
        return add(op::constant, type, shape, -1, -1, -1,
                   is_floating(type) ? std::bit_cast<std::int64_t>(value) : static_cast<std::int64_t>(value));
    }

    /// Renames the outputs, validates and hands the new graph over.
    constexpr graph finish() {
        for (int i = 0; i < from.output_count; ++i) to.outputs.push({map[from.outputs[i].node], from.outputs[i].label});
        if (!validate(to.view()).ok()) pass_broke_the_graph();
        return static_cast<graph&&>(to);
    }
};

} // namespace toroid
