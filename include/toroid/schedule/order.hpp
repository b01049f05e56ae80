#pragma once
// order: siblings merge, then groups, matmuls and concats are put in an order in which each follows what it reads.

#include <toroid/schedule/fusion.hpp>

namespace toroid {

/// What is launched, or waited for, as one: a group, a matmul or a concat (which launches nothing).
struct schedule_unit {
    int group = -1; ///< or -1
    int node = -1;  ///< matmul or concat, or -1
    int depth = 0;  ///< longest chain of units before it
};

/// Units in an executable order close to the order of the program.
struct unit_order {
    growable<schedule_unit> units;
    growable<int> unit_of; ///< by node; -1 for leaves and views
};

namespace detail {

struct unit_sorter {
    const fusion_state& state;
    unit_order result;
    growable<int> number; ///< position by key (group number, or group count + node); -1 not placed, -2 on the stack

    constexpr explicit unit_sorter(const fusion_state& s) : state(s), number(s.groups.size() + s.g.size, -1) {
        result.unit_of.resize(s.g.size, -1);
    }
    [[nodiscard]] constexpr int key_of(int node) const {
        if (state.group_of[node] >= 0) return state.group_of[node];
        const op code = state.g.nodes[node].code;
        return code == op::matmul || code == op::concat ? state.groups.size() + node : -1;
    }

    struct frame {
        int key = -1;
        int member = -1; ///< member whose operands are being looked at
        int slot = 0;
        int depth = 0;
    };

    constexpr void place(int root) {
        if (key_of(root) < 0 || number[key_of(root)] != -1) return;
        growable<frame> stack;
        push(stack, root);
        while (!stack.empty()) {
            frame& top = stack.back();
            if (top.member < 0) {
                emit(top);
                stack.pop();
                continue;
            }
            if (top.slot == 3) {
                top.member = top.key < state.groups.size() ? state.next[top.member] : -1;
                top.slot = 0;
                continue;
            }
            const int x = state.g.nodes[top.member].operands[top.slot];
            const int base = x < 0 ? -1 : base_of(state.g, x);
            const int key = base < 0 ? -1 : key_of(base);
            if (key >= 0 && key != top.key && number[key] == -1) {
                push(stack, base);
                continue;
            }
            if (key >= 0 && key != top.key && number[key] >= 0) {
                const int below = result.units[number[key]].depth + 1;
                top.depth = below > top.depth ? below : top.depth;
            }
            ++top.slot;
        }
    }
    constexpr void push(growable<frame>& stack, int node) {
        const int key = key_of(node);
        number[key] = -2;
        stack.push({key, key < state.groups.size() ? state.groups[key].first : node, 0, 0});
    }
    constexpr void emit(const frame& f) {
        const bool group = f.key < state.groups.size();
        schedule_unit unit;
        unit.group = group ? f.key : -1;
        unit.node = group ? -1 : f.key - state.groups.size();
        unit.depth = f.depth;
        number[f.key] = result.units.push(unit);
    }
};

/// True when some tensor is read by two groups.
constexpr bool has_siblings(const fusion_state& state) {
    growable<int> reader(state.g.size, -1);
    for (int c = 0; c < state.g.size; ++c) {
        const int group = state.group_of[c];
        if (group < 0) continue;
        const node& n = state.g.nodes[c];
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
            const int base = base_of(state.g, n.operands[k]);
            if (state.group_of[base] == group) continue;
            if (reader[base] >= 0 && reader[base] != group) return true;
            reader[base] = group;
        }
    }
    return false;
}

} // namespace detail

/// Depth-first order from the nodes in program order; no recursion, O(N + E).
constexpr unit_order order_units(const fusion_state& state) {
    detail::unit_sorter sorter(state);
    for (int n = 0; n < state.g.size; ++n) sorter.place(n);
    for (int n = 0; n < state.g.size; ++n)
        if (sorter.key_of(n) >= 0) sorter.result.unit_of[n] = sorter.number[sorter.key_of(n)];
    return static_cast<unit_order&&>(sorter.result);
}

/// Merges groups of equal depth that read one tensor over the same ranges ("siblings"): equal depth excludes paths.
constexpr void fuse_siblings(fusion_state& state) {
    if (state.facts.fusion_level < 1 || !detail::has_siblings(state)) return;
    const unit_order order = order_units(state);
    const graph_view& g = state.g;
    growable<int> depth(state.groups.size(), 0);
    for (int i = 0; i < order.units.size(); ++i)
        if (order.units[i].group >= 0) depth[order.units[i].group] = order.units[i].depth;
    // Per tensor the readers met last, four of them.
    constexpr int kept = 4;
    growable<int> readers(kept * g.size, -1);
    growable<int> views(kept * g.size, -1);
    growable<int> cursor(g.size, 0);
    for (int c = 0; c < g.size; ++c) {
        if (state.group_of[c] < 0) continue;
        for (int k = 0; k < 3 && g.nodes[c].operands[k] >= 0; ++k) {
            const int view = g.nodes[c].operands[k];
            const int base = base_of(g, view);
            const op code = g.nodes[base].code;
            if (code == op::constant || code == op::iota || code == op::extent) continue;
            if (state.group_of[base] == state.group_of[c]) continue;
            bool known = false;
            for (int i = 0; i < kept; ++i) {
                const int other = readers[kept * base + i];
                if (other < 0) continue;
                if (state.group_of[other] == state.group_of[c]) {
                    known = known || views[kept * base + i] == view;
                    continue;
                }
                // The same view of the same tensor: both readers stand at the same places of it.
                if (views[kept * base + i] != view || g.extents_of(view).numel().is(1)) continue;
                const int a = state.group_of[other];
                const int b = state.group_of[c];
                if (depth[a] != depth[b]) continue;
                state.merge(a, state.reading_map(other), b, state.reading_map(c));
            }
            if (known) continue;
            readers[kept * base + cursor[base] % kept] = c;
            views[kept * base + cursor[base]++ % kept] = view;
        }
    }
}

} // namespace toroid
