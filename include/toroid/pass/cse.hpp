#pragma once
// cse: nodes that compute the same value become one node. Hashed, O(N).

#include <toroid/core/hash.hpp>
#include <toroid/pass/rewrite.hpp>

namespace toroid {

namespace detail {

constexpr bool is_commutative(op o) {
    return o == op::add || o == op::mul || o == op::minimum || o == op::maximum || o == op::eq || o == op::ne ||
           o == op::logical_and || o == op::logical_or || o == op::logical_xor;
}

/// Operands in one order for commutative operations (exact: IEEE addition and multiplication commute).
constexpr node commuted(node n) {
    if (is_commutative(n.code) && n.operands[0] > n.operands[1]) {
        const int first = n.operands[0];
        n.operands[0] = n.operands[1];
        n.operands[1] = first;
    }
    return n;
}

constexpr std::uint64_t hash_of(const node& n) {
    std::uint64_t h = static_cast<std::uint64_t>(n.code) << 8 | static_cast<std::uint64_t>(n.type);
    h = hash_combine(h, static_cast<std::uint64_t>(n.shape));
    for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) h = hash_combine(h, static_cast<std::uint64_t>(n.operands[k]));
    h = hash_combine(h, static_cast<std::uint64_t>(n.payload));
    return hash_combine(h, static_cast<std::uint64_t>(n.start + 1));
}

constexpr bool same_value(const node& a, const node& b) {
    return a.code == b.code && a.type == b.type && a.shape == b.shape && a.payload == b.payload && a.start == b.start &&
           a.operands[0] == b.operands[0] && a.operands[1] == b.operands[1] && a.operands[2] == b.operands[2] &&
           (a.label < 0 || b.label < 0 || a.label == b.label);
}

} // namespace detail

/// Merges equal nodes. A node with a label takes over an equal one without; two different labels keep two nodes.
/// In place; nodes that lost their readers are left to dce.
constexpr graph cse(graph g) {
    renaming names(g.nodes.size());
    int buckets = 16;
    while (buckets < 2 * g.nodes.size()) buckets *= 2;
    growable<int> table(buckets, -1);
    for (int i = 0; i < g.nodes.size(); ++i) {
        names.rename(g.nodes[i]);
        if (g.nodes[i].code == op::input || g.nodes[i].code == op::parameter) continue;
        const node n = detail::commuted(g.nodes[i]);
        int slot = static_cast<int>(detail::hash_of(n) >> 20 & static_cast<std::uint64_t>(buckets - 1));
        while (table[slot] >= 0 && !detail::same_value(detail::commuted(g.nodes[table[slot]]), n))
            slot = (slot + 1) & (buckets - 1);
        if (table[slot] < 0) table[slot] = i;
        else names.replace(g, i, table[slot]);
    }
    return names.finish(static_cast<graph&&>(g));
}

} // namespace toroid
