#pragma once
// structure: recognises a group that repeats an earlier one node by node, so that its body need not be built again.

#include <toroid/core/hash.hpp>
#include <toroid/schedule/build.hpp>

namespace toroid::detail {

/// Pairs (node of the earlier group, node of the later one) that correspond. Sparse sets (Briggs & Torczon 1993): found
/// and cleared in O(1), for the comparisons of a whole schedule.
struct node_pairs {
    growable<int> left;
    growable<int> right;
    growable<int> left_slot; ///< by node: its place in `left`, if that place holds it
    growable<int> right_slot; ///< likewise in `right`

    constexpr explicit node_pairs(int nodes) : left_slot(nodes, 0), right_slot(nodes, 0) {}

    constexpr void clear() {
        left.clear();
        right.clear();
    }
    /// Records a pair; false when one side is already paired with something else.
    constexpr bool match(int a, int b) {
        const int i = left_slot[a];
        if (i < left.size() && left[i] == a) return right[i] == b;
        const int j = right_slot[b];
        if (j < right.size() && right[j] == b) return false;
        left_slot[a] = left.push(a);
        right_slot[b] = right.push(b);
        return true;
    }
    [[nodiscard]] constexpr int partner(int a) const {
        const int i = left_slot[a];
        return i < left.size() && left[i] == a ? right[i] : -1;
    }
};

struct structure_comparison {
    fusion_state& state;
    const storage_choice& storage;
    node_pairs pairs;

    constexpr structure_comparison(fusion_state& s, const storage_choice& c) : state(s), storage(c), pairs(s.g.size) {}

    constexpr bool is_storage(int node) const {
        const op code = state.g.nodes[node].code;
        return always_stored(code) || (is_computed(code) && storage.stored[node]);
    }

    static constexpr bool same_facts(const node& a, const node& b) {
        return a.code == b.code && a.type == b.type && a.shape == b.shape && a.start == b.start;
    }

    /// The same views down to corresponding bases.
    constexpr bool same_operand(int a, int b, int group_a, int group_b) {
        while (is_view(state.g.nodes[a].code)) {
            const node& left = state.g.nodes[a];
            const node& right = state.g.nodes[b];
            if (!same_facts(left, right) || left.payload != right.payload) return false;
            a = left.operands[0];
            b = right.operands[0];
        }
        const node& left = state.g.nodes[a];
        const node& right = state.g.nodes[b];
        // Members are in joining order: a pair may be met as operands first, and must hold where the members are met.
        const bool inside_a = is_computed(left.code) && state.group_of[a] == group_a;
        const bool inside_b = is_computed(right.code) && state.group_of[b] == group_b;
        if (inside_a || inside_b) return inside_a && inside_b && pairs.match(a, b);
        if (is_storage(a))
            return is_storage(b) && left.type == right.type && left.shape == right.shape && pairs.match(a, b);
        // Constants, indices and extents by value; inlined values are left to the builder.
        return is_leaf(left.code) && !is_storage(b) && same_facts(left, right) && left.payload == right.payload;
    }

    constexpr bool same(int group_a, int group_b) {
        const loop_domain& da = state.groups[group_a].domain;
        const loop_domain& db = state.groups[group_b].domain;
        pairs.clear();
        if (da.count != db.count) return false;
        for (int r = 0; r < da.count; ++r)
            if (da.extents[r] != db.extents[r] || da.reduction[r] != db.reduction[r] || da.order[r] != db.order[r])
                return false;
        int a = next_needed(state.groups[group_a].first);
        int b = next_needed(state.groups[group_b].first);
        for (; a >= 0 && b >= 0; a = next_needed(state.next[a]), b = next_needed(state.next[b])) {
            const node& left = state.g.nodes[a];
            const node& right = state.g.nodes[b];
            if (!same_facts(left, right) || left.payload != right.payload || storage.stored[a] != storage.stored[b] ||
                !state.same_map(state.home[a], state.home[b]) ||
                !state.same_map(state.reading_map(a), state.reading_map(b)))
                return false;
            // A part of a concat is stored at an offset that only the builder knows.
            if (storage.stored[a] && (is_concat_part(a) || is_concat_part(b))) return false;
            for (int k = 0; k < 3 && left.operands[k] >= 0; ++k)
                if (!same_operand(left.operands[k], right.operands[k], group_a, group_b)) return false;
            if (!pairs.match(a, b)) return false;
        }
        return a < 0 && b < 0;
    }
    [[nodiscard]] constexpr int next_needed(int n) const {
        while (n >= 0 && !storage.needed[n]) n = state.next[n];
        return n;
    }
    [[nodiscard]] constexpr bool is_concat_part(int n) const {
        for (int i = state.consumers.begin[n]; i < state.consumers.begin[n + 1]; ++i)
            if (state.g.nodes[state.consumers.list[i]].code == op::concat) return true;
        return false;
    }
};

/// Hash of what `same` compares first.
constexpr std::uint64_t structure_hash(const fusion_state& state, const storage_choice& storage, int group) {
    std::uint64_t h = 0;
    for (int n = state.groups[group].first; n >= 0; n = state.next[n])
        if (storage.needed[n])
            h = hash_combine(h, static_cast<std::uint64_t>(state.g.nodes[n].code) << 32 |
                                    static_cast<std::uint64_t>(state.g.nodes[n].shape));
    return h;
}

} // namespace toroid::detail
