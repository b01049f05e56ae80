#pragma once
// materialize: which computed nodes are stored, which are computed again by their readers, and why pairs stay apart.

#include <toroid/schedule/order.hpp>

namespace toroid {

/// Storage decisions.
struct storage_choice {
    growable<bool> stored; ///< the node has a buffer
    growable<bool> needed; ///< some kernel computes the node in its own group
    growable<unfused_pair> unfused;
};

namespace detail {

/// Map of the base below a chain of views, for a reader that stands at `map`; splits the reader's ranges if asked to.
/// False when a reshape in the chain does not factor.
constexpr bool map_below(fusion_state& state, int view, int group, index_map map, index_map& below) {
    while (is_view(state.g.nodes[view].code)) {
        range_split split;
        index_map next;
        const map_result step = map_to_operand(state.graph, state.groups[group].domain, map, view, next, split);
        if (step == map_result::impossible) return false;
        if (step == map_result::needs_split) {
            if (!state.apply_split(group, split)) return false;
            const int added = state.groups[group].domain.count - 1;
            state.split_map(map, split, added);
            continue;
        }
        map = next;
        view = state.g.nodes[view].operands[0];
    }
    below = map;
    return true;
}

struct materializer {
    fusion_state& state;
    storage_choice result;
    growable<int> uses;

    constexpr explicit materializer(fusion_state& s) : state(s), uses(use_counts(s.g)) {
        result.stored.resize(s.g.size, false);
        result.needed.resize(s.g.size, false);
    }

    constexpr bool has_storage(int node) const {
        return always_stored(state.g.nodes[node].code) || result.stored[node];
    }

    struct inline_cost {
        int ops = 0;
        int sources = 0; ///< buffers to read, without broadcast ones; what comes after a repeated one counts again
        int source = -1;
        bool expensive = false;
    };

    /// Can the value of `view`, standing at `map`, be computed inside `group`?
    constexpr bool can_inline(int view, int group, const index_map& map, inline_cost& cost) {
        const int base = base_of(state.g, view);
        const node& n = state.g.nodes[base];
        if (has_storage(base) && base != cost.source && !broadcasts(view)) {
            ++cost.sources;
            cost.source = base;
        }
        if (is_leaf(n.code) || has_storage(base)) return true;
        if (!is_pointwise(n.code) || ++cost.ops > state.facts.max_inlined_ops) return false;
        cost.expensive = cost.expensive || is_expensive(n.code);
        index_map below;
        if (!map_below(state, view, group, map, below)) return false;
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k)
            if (!can_inline(n.operands[k], group, below, cost)) return false;
        return true;
    }

    /// Marks what an inlined value reads from memory.
    constexpr void need_sources(int view) {
        const int base = base_of(state.g, view);
        if (is_leaf(state.g.nodes[base].code)) return;
        if (has_storage(base)) {
            result.needed[base] = true;
            return;
        }
        const node& n = state.g.nodes[base];
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) need_sources(n.operands[k]);
    }

    [[nodiscard]] constexpr bool broadcasts(int view) const {
        for (; is_view(state.g.nodes[view].code); view = state.g.nodes[view].operands[0])
            if (state.g.nodes[view].code == op::expand) return true;
        return false;
    }

    /// True when one operand alone reads the base of `view`.
    [[nodiscard]] constexpr bool read_once(int view) const {
        for (; is_view(state.g.nodes[view].code); view = state.g.nodes[view].operands[0])
            if (uses[view] != 1) return false;
        return uses[view] == 1;
    }

    constexpr void apart(int producer, int consumer, fusion_reason reason) {
        for (int i = result.unfused.size() - 1; i >= 0 && i >= result.unfused.size() - 3; --i)
            if (result.unfused[i].producer == producer && result.unfused[i].consumer == consumer) return;
        result.unfused.push({producer, consumer, reason});
    }

    constexpr void read(int consumer, int slot) {
        const int view = state.g.nodes[consumer].operands[slot];
        const int base = base_of(state.g, view);
        const op code = state.g.nodes[base].code;
        if (is_leaf(code)) return;
        if (code == op::matmul || code == op::concat) {
            result.needed[base] = true;
            apart(base, consumer, code == op::matmul ? fusion_reason::extern_kernel : fusion_reason::concat_parts);
            return;
        }
        const int group = state.group_of[consumer];
        if (state.group_of[base] == group) {
            result.needed[base] = true;
            return;
        }
        fusion_reason reason = state.edge_reason[3 * consumer + slot];
        if (!result.stored[base] && state.facts.fusion_level > 0) {
            const index_map map = state.maps[state.reading_map(consumer)];
            inline_cost cost;
            if (can_inline(view, group, map, cost)) {
                // Computing again must not cost more memory traffic than one load: residual sums would pile up.
                if (cost.expensive ? read_once(view) && !broadcasts(view) : read_once(view) || cost.sources <= 1) {
                    need_sources(view);
                    return;
                }
                if (broadcasts(view)) reason = fusion_reason::broadcast_too_dear;
            }
        }
        result.stored[base] = result.needed[base] = true;
        apart(base, consumer, reason);
    }

    constexpr void run() {
        const graph_view& g = state.g;
        for (int i = 0; i < g.output_count; ++i) {
            const int base = base_of(g, g.outputs[i].node);
            result.stored[base] = result.needed[base] = true;
        }
        for (int n = 0; n < g.size; ++n)
            if (g.nodes[n].code == op::matmul || g.nodes[n].code == op::concat)
                for (int k = 0; k < 2; ++k) result.stored[base_of(g, g.nodes[n].operands[k])] = true;
        // Readers before what they read: by then it is known whether a value is stored for somebody else.
        for (int n = g.size - 1; n >= 0; --n) {
            if (!result.needed[n]) continue;
            const op code = g.nodes[n].code;
            if (code == op::matmul || code == op::concat) {
                for (int k = 0; k < 2; ++k) {
                    const int base = base_of(g, g.nodes[n].operands[k]);
                    if (is_leaf(g.nodes[base].code)) continue;
                    result.needed[base] = true;
                    apart(base, n, code == op::matmul ? fusion_reason::extern_kernel : fusion_reason::concat_parts);
                }
            } else if (is_computed(code)) {
                for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) read(n, k);
            }
        }
    }
};

} // namespace detail

/// Decides storage, from the outputs backwards.
constexpr storage_choice choose_storage(fusion_state& state) {
    detail::materializer m(state);
    m.run();
    return static_cast<storage_choice&&>(m.result);
}

} // namespace toroid
