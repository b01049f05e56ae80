#pragma once
// layout: gives nodes of their own to values that need storage: outputs, operands of matmul or of a reshape that no
// strides describe, and parts of a concat. Each becomes an `identity` node, which fuses like any other.

#include <toroid/graph/strides.hpp>
#include <toroid/pass/rewrite.hpp>

namespace toroid {

/// True for nodes whose value some kernel writes element by element.
constexpr bool is_computed(op o) { return is_pointwise(o) || is_reduction(o); }

/// True for nodes that always have storage: what the caller gives, matrix products and concats.
constexpr bool always_stored(op o) {
    return o == op::input || o == op::parameter || o == op::matmul || o == op::concat;
}

namespace detail {

struct layout_pass : rewriter {
    growable<int> uses;
    growable<bool> claimed; ///< new nodes that already are the storage of an output or of a concat part

    constexpr explicit layout_pass(const graph_view& g) : rewriter(g), uses(use_counts(g)) {}

    constexpr int copy_of(int x) {
        node n;
        n.code = op::identity;
        n.type = to.nodes[x].type;
        n.shape = to.nodes[x].shape;
        n.operands[0] = x;
        return to.push(n);
    }
    constexpr int matmul_operand(int x) {
        if (!is_view(to.nodes[x].code) && !is_leaf(to.nodes[x].code)) return x;
        const strided_view s = resolve_strides(to.view(), x);
        const op base = to.nodes[s.base].code;
        const bool stored = is_computed(base) || always_stored(base);
        return s.valid && stored ? x : copy_of(x);
    }
    /// A part of a concat is written in place by the kernel that computes it, if nobody else needs it.
    constexpr int concat_part(int old, int x) {
        const op code = to.nodes[x].code;
        return uses[old] == 1 && (is_computed(code) || code == op::concat) && to.nodes[x].label < 0 ? x : copy_of(x);
    }
    [[nodiscard]] constexpr op code_of(int x) const { return to.nodes[x].code; }
    constexpr int output(int x) {
        claimed.resize(to.nodes.size(), false);
        const int base = base_of(to.view(), x);
        const op code = to.nodes[base].code;
        const bool own = x == base ? is_computed(code) || code == op::matmul || code == op::concat
                                   : (code == op::matmul || code == op::concat) && is_reshape_chain(to.view(), x);
        const int storage = own && !claimed[base] ? x : copy_of(x);
        // The user's name of a view is the name of the kernel that writes it.
        if (storage != x && is_view(code_of(x))) {
            to.nodes[storage].label = to.nodes[x].label;
            to.nodes[x].label = -1;
        }
        claimed.resize(to.nodes.size(), false);
        claimed[base_of(to.view(), storage)] = true;
        return storage;
    }
};

} // namespace detail

/// Upper bound of the nodes that layout adds.
constexpr int layout_nodes(const graph_view& g) {
    int count = g.output_count;
    for (int i = 0; i < g.size; ++i)
        count += g.nodes[i].code == op::matmul || g.nodes[i].code == op::concat ? 2
                 : g.nodes[i].code == op::reshape                               ? 1
                                                                                : 0;
    return count;
}

/// True when every output is computed, each by a node of its own, and nothing else asks for storage.
constexpr bool is_laid_out(const graph_view& g) {
    for (int i = 0; i < g.size; ++i)
        if (g.nodes[i].code == op::reshape || g.nodes[i].code == op::matmul || g.nodes[i].code == op::concat)
            return false;
    growable<bool> claimed(g.size, false);
    for (int i = 0; i < g.output_count; ++i) {
        const int output = g.outputs[i].node;
        if (!is_computed(g.nodes[output].code) || claimed[output]) return false;
        claimed[output] = true;
    }
    return true;
}

/// Inserts `identity` nodes so that every output, matmul operand, reshape and concat part has describable storage.
constexpr graph assign_layout(const graph_view& g) {
    detail::layout_pass pass(g);
    for (int i = 0; i < g.size; ++i) {
        node n = pass.renamed(i);
        if (n.code == op::reshape) {
            pass.map[i] = pass.to.push(n);
            if (!is_view(pass.to.nodes[n.operands[0]].code) || resolve_strides(pass.to.view(), pass.map[i]).valid)
                continue;
            pass.to.nodes.pop();
            n.operands[0] = pass.copy_of(n.operands[0]);
        } else if (n.code == op::matmul) {
            n.operands[0] = pass.matmul_operand(n.operands[0]);
            n.operands[1] = pass.matmul_operand(n.operands[1]);
        } else if (n.code == op::concat) {
            const bool same = n.operands[0] == n.operands[1];
            n.operands[0] = pass.concat_part(g.nodes[i].operands[0], n.operands[0]);
            n.operands[1] =
                same ? pass.copy_of(n.operands[1]) : pass.concat_part(g.nodes[i].operands[1], n.operands[1]);
        }
        pass.map[i] = pass.to.push(n);
    }
    // Outputs may need nodes behind all others; they are renamed here instead of in finish().
    growable<int> storage;
    for (int i = 0; i < g.output_count; ++i) storage.push(pass.output(pass.map[g.outputs[i].node]));
    for (int i = 0; i < g.output_count; ++i) pass.to.outputs.push({storage[i], g.outputs[i].label});
    return validated(static_cast<graph&&>(pass.to));
}
constexpr graph assign_layout(graph g) {
    if (is_laid_out(g.view())) return g;
    return assign_layout(g.view());
}

} // namespace toroid
