#pragma once
// fusion: every computed node goes into a group, one kernel each. Greedy, in topological order, O(N + E) but for
// bounded searches.

#include <toroid/core/target.hpp>
#include <toroid/pass/layout.hpp>
#include <toroid/schedule/group.hpp>

namespace toroid {

/// The state of the scheduler while it groups nodes.
struct fusion_state {
    numbered_graph graph;
    graph_view g;
    target_facts facts;
    consumer_lists consumers;
    growable<fusion_group> groups;
    growable<int> group_of;      ///< group of a computed node, else -1
    growable<int> next;          ///< next member of the same group
    growable<int> home;          ///< index map of a node in its group
    growable<int> operand_map;   ///< reductions: index map of the operand
    growable<int> view_map;      ///< views of members: index map of the view, once asked for
    growable<index_map> maps;
    growable<int> map_group;
    growable<int> map_next;      ///< next map of the same group
    growable<int> visited;       ///< stamps of the dependency search
    growable<int> search_stack;
    int stamp = 0;
    growable<fusion_reason> edge_reason; ///< per operand edge, three per node

    constexpr fusion_state(const graph_view& view, const target_facts& target)
        : graph(view), g(view), facts(target), consumers(view), group_of(view.size, -1), next(view.size, -1),
          home(view.size, -1), operand_map(view.size, -1), view_map(view.size, -1), visited(view.size, 0),
          edge_reason(3 * view.size, fusion_reason::domains_differ) {}

    //=== maps ===//

    constexpr int intern_map(const index_map& m, int group) {
        for (int i = maps.size() - 1; i >= 0 && i >= maps.size() - 16; --i)
            if (map_group[i] == group && maps[i] == m) return i;
        append_maps(group, maps.size(), maps.size());
        map_group.push(group);
        map_next.push(-1);
        return maps.push(m);
    }
    /// Hangs a list of maps behind those of a group.
    constexpr void append_maps(int group, int first, int last) {
        fusion_group& target = groups[group];
        if (target.first_map < 0) target.first_map = first;
        else map_next[target.last_map] = first;
        target.last_map = last;
    }
    [[nodiscard]] constexpr bool same_map(int a, int b) const { return a == b || maps[a] == maps[b]; }

    /// Splits a range of a group in its domain and in all its maps.
    constexpr bool apply_split(int group, const range_split& s) {
        const int added = groups[group].domain.split(s.range, s.outer, s.inner);
        if (added < 0) return false;
        for (int i = groups[group].first_map; i >= 0; i = map_next[i]) split_map(maps[i], s, added);
        return true;
    }
    constexpr void split_map(index_map& m, const range_split& s, int added) {
        for (int a = 0; a < m.rank; ++a) {
            const int coefficient = m.axes[a][s.range];
            m.axes[a].set(added, coefficient);
            m.axes[a].set(s.range, graph.dims.multiply(coefficient, s.inner));
        }
    }

    /// Index map of a view whose chain ends in a member of a group. Splits and merges rewrite maps in place, so a map
    /// once found stays right.
    constexpr join_result map_from_member(int view, int group) {
        if (!is_view(g.nodes[view].code)) return {fusion_reason::fused, home[view]};
        if (view_map[view] >= 0 && map_group[view_map[view]] == group) return {fusion_reason::fused, view_map[view]};
        const join_result below = map_from_member(g.nodes[view].operands[0], group);
        if (!below.ok()) return below;
        while (true) {
            index_map above;
            range_split split;
            switch (map_to_view(graph, groups[group].domain, maps[below.map], view, above, split)) {
            case map_result::impossible: return {fusion_reason::index_maps_differ, -1};
            case map_result::mapped:
                view_map[view] = intern_map(above, group);
                return {fusion_reason::fused, view_map[view]};
            case map_result::needs_split:
                if (!apply_split(group, split)) return {fusion_reason::too_many_ranges, -1};
            }
        }
    }

    /// True when the map mentions a reduced range.
    [[nodiscard]] static constexpr bool in_reduction(const index_map& m, const loop_domain& d) {
        for (int a = 0; a < m.rank; ++a)
            for (int r = 0; r < d.count; ++r)
                if (d.reduction[r] && m.axes[a][r] != 0) return true;
        return false;
    }

    /// Fills the holes that a broadcast left with the reduced ranges, in loop order; all of them must be used up.
    constexpr bool fill_holes(index_map& m, const loop_domain& d, int node) {
        if (!m.has_holes()) return true;
        if (in_reduction(m, d)) return false; // a reduced range stands elsewhere already
        int at = 0;
        for (int a = 0; a < m.rank; ++a) {
            if (!m.is_hole(a)) continue;
            int used[max_ranges] = {};
            int count = 0;
            int product = 1;
            const int extent = graph.extent(node, a);
            while (product != extent) {
                while (at < d.count && !d.reduction[d.order[at]]) ++at;
                if (at == d.count) return false;
                used[count++] = d.order[at];
                product = graph.dims.multiply(product, d.extents[d.order[at++]]);
                if (count == max_ranges && product != extent) return false;
            }
            int inner = 1;
            for (int i = count - 1; i >= 0; --i) {
                m.axes[a].set(used[i], inner);
                inner = graph.dims.multiply(inner, d.extents[used[i]]);
            }
            m.set_hole(a, false);
        }
        while (at < d.count && !d.reduction[d.order[at]]) ++at;
        return at == d.count;
    }

    //=== dependency search ===//

    static constexpr int search_limit = 512;

    /// True when `node` depends on a member of `group`, found by a bounded search backwards. `skip` is another group
    /// whose members are passed over (they would be merged).
    constexpr bool depends_on(int node, int group, int skip, int& budget) {
        growable<int>& stack = search_stack;
        stack.clear();
        stack.push(node);
        bool found = false;
        while (!stack.empty() && !found) {
            const int n = stack.back();
            stack.pop();
            if (visited[n] == stamp) continue;
            visited[n] = stamp;
            if (--budget < 0) break;
            if (group_of[n] == group) found = true;
            else if (group_of[n] != skip || skip < 0)
                for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k)
                    if (g.nodes[n].operands[k] >= groups[group].lowest) stack.push(g.nodes[n].operands[k]);
        }
        return found;
    }

    /// May `node` join `group`? Its operands outside the group must not depend on the group.
    constexpr fusion_reason check_join(int node, int group) {
        int budget = search_limit;
        ++stamp;
        for (int k = 0; k < 3 && g.nodes[node].operands[k] >= 0; ++k) {
            const int base = base_of(g, g.nodes[node].operands[k]);
            if (group_of[base] == group || is_leaf(g.nodes[base].code)) continue;
            if (depends_on(base, group, -1, budget)) return fusion_reason::would_cycle;
            if (budget < 0) return fusion_reason::search_budget;
        }
        return fusion_reason::fused;
    }

    /// May the groups become one? No path between them may lead through a node outside both.
    constexpr fusion_reason check_merge(int a, int b) {
        int budget = search_limit;
        const int pairs[2][2] = {{a, b}, {b, a}};
        for (const auto& pair : pairs) {
            ++stamp;
            for (int n = groups[pair[0]].first; n >= 0; n = next[n])
                for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) {
                    const int base = base_of(g, g.nodes[n].operands[k]);
                    if (group_of[base] == a || group_of[base] == b || is_leaf(g.nodes[base].code)) continue;
                    if (depends_on(base, pair[1], pair[0], budget)) return fusion_reason::would_cycle;
                    if (budget < 0) return fusion_reason::search_budget;
                }
        }
        return fusion_reason::fused;
    }

    //=== membership ===//

    [[nodiscard]] constexpr bool is_full(int ops, int reductions) const {
        return ops > facts.max_fused_ops || reductions > max_fused_reductions;
    }

    constexpr void add_member(int node, int group) {
        fusion_group& target = groups[group];
        group_of[node] = group;
        if (target.first < 0) target.first = node;
        else next[target.last] = node;
        target.last = node;
        target.lowest = target.size == 0 || node < target.lowest ? node : target.lowest;
        ++target.size;
        target.reductions += is_reduction(g.nodes[node].code) ? 1 : 0;
    }

    /// Records where a member stands; a reduction marks the ranges of its axes.
    constexpr void place(int node, int group, int map) {
        home[node] = map;
        if (is_reduction(g.nodes[node].code)) {
            operand_map[node] = map;
            index_map result = maps[map];
            loop_domain& d = groups[group].domain;
            for (int a = 0; a < result.rank; ++a)
                if (has_axis(g.nodes[node].payload, a)) {
                    for (int r = 0; r < d.count; ++r)
                        if (result.axes[a][r] != 0) d.reduction[r] = true;
                    result.axes[a] = affine{};
                }
            home[node] = intern_map(result, group);
        }
        add_member(node, group);
    }

    constexpr int new_group(int node) {
        fusion_group group;
        const int source = is_reduction(g.nodes[node].code) ? g.nodes[node].operands[0] : node;
        index_map map;
        map.rank = graph.rank(source);
        for (int a = 0; a < map.rank; ++a)
            if (graph.extent(source, a) != 1) map.axes[a].set(group.domain.add(graph.extent(source, a), false), 1);
        group.lowest = node;
        const int number = groups.push(group);
        place(node, number, intern_map(map, number));
        return number;
    }

    /// The map that `node` would have in `group`, from every operand that the group computes.
    constexpr join_result find_place(int node, int group) {
        const struct node& n = g.nodes[node];
        if (facts.fusion_level < 1) return {fusion_reason::fusion_disabled, -1};
        if (is_full(groups[group].size + 1, groups[group].reductions + (is_reduction(n.code) ? 1 : 0)))
            return {fusion_reason::kernel_full, -1};
        join_result place;
        // A split changes maps by number, not their numbers. Operands without holes first: they say where broadcast
        // operands stand.
        int holed_operands = 0;
        for (int round = 0; round == 0 || (round == 1 && holed_operands > 0); ++round)
            for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
                if (group_of[base_of(g, n.operands[k])] != group) continue;
                const join_result slot = map_from_member(n.operands[k], group);
                if (!slot.ok()) return slot;
                const bool holed = maps[slot.map].has_holes();
                if (holed != (round == 1)) {
                    ++holed_operands;
                    continue;
                }
                if (place.map >= 0) {
                    if (slot.map != place.map && !agrees(maps[slot.map], maps[place.map]))
                        return {fusion_reason::index_maps_differ, -1};
                    continue;
                }
                place = slot;
                if (!holed) continue;
                index_map filled = maps[slot.map];
                if (!fill_holes(filled, groups[group].domain, n.operands[k]))
                    return {fusion_reason::domains_differ, -1};
                place.map = intern_map(filled, group);
            }
        if (is_reduction(n.code)) {
            const fusion_reason reason = check_reduction_place(n, groups[group].domain, maps[place.map]);
            if (reason != fusion_reason::fused) return {reason, -1};
        }
        place.reason = check_join(node, group);
        return place;
    }

    /// True when two maps are equal wherever the first has no hole.
    static constexpr bool agrees(const index_map& holed, const index_map& full) {
        for (int a = 0; a < holed.rank; ++a)
            if (!holed.is_hole(a) && !(holed.axes[a] == full.axes[a])) return false;
        return true;
    }

    [[nodiscard]] static constexpr fusion_reason check_reduction_place(const node& n, const loop_domain& d,
                                                                       const index_map& map) {
        bool reduced[max_ranges] = {};
        for (int a = 0; a < map.rank; ++a)
            if (has_axis(n.payload, a))
                for (int r = 0; r < d.count; ++r)
                    if (map.axes[a][r] != 0) reduced[r] = true;
        if (!d.has_reduction()) return fusion_reason::fused;
        if (!in_reduction(map, d)) return fusion_reason::reduces_row_values;
        for (int r = 0; r < d.count; ++r)
            if (reduced[r] != d.reduction[r]) return fusion_reason::reduction_axes_differ;
        return fusion_reason::fused;
    }

    //=== merging ===//

    /// Matches the ranges of group `from` to those of group `to`, given where both stand in one tensor. A group without
    /// reductions may have fewer ranges: it becomes row values.
    constexpr bool match_ranges(int from, const index_map& from_map, int to, const index_map& to_map,
                                int (&range_of)[max_ranges]) {
        const loop_domain& f = groups[from].domain;
        const loop_domain& t = groups[to].domain;
        const bool as_row_values = f.count < t.count && !f.has_reduction() && t.has_reduction();
        if (f.count != t.count && !as_row_values) return false;
        bool taken[max_ranges] = {};
        bool hole[max_ranges] = {}; // ranges of `to` inside holes of `from_map`
        for (int r = 0; r < max_ranges; ++r) range_of[r] = -1;
        for (int a = 0; a < from_map.rank; ++a) {
            if (from_map.is_hole(a)) {
                for (int s = 0; s < t.count; ++s)
                    if (to_map.axes[a][s] != 0) hole[s] = true;
                continue;
            }
            if (from_map.axes[a].offset != to_map.axes[a].offset) return false;
            for (int r = 0; r < f.count; ++r) {
                if (from_map.axes[a][r] == 0) continue;
                for (int s = 0; s < t.count; ++s)
                    if (to_map.axes[a][s] == from_map.axes[a][r] && f.extents[r] == t.extents[s] && !taken[s]) {
                        range_of[r] = s;
                        taken[s] = true;
                        break;
                    }
                if (range_of[r] < 0) return false;
            }
        }
        // Reduced ranges of `from` stand where its row values are broadcast.
        int at = 0;
        for (int i = 0; i < f.count; ++i) {
            const int r = f.order[i];
            if (range_of[r] >= 0) continue;
            if (!f.reduction[r]) return false;
            while (at < t.count && !hole[t.order[at]]) ++at;
            if (at == t.count || taken[t.order[at]] || t.extents[t.order[at]] != f.extents[r]) return false;
            range_of[r] = t.order[at];
            taken[t.order[at++]] = true;
        }
        if (f.count < t.count)
            for (int r = 0; r < f.count; ++r)
                if (t.reduction[range_of[r]]) return false;
        if (f.has_reduction() && t.has_reduction())
            for (int r = 0; r < f.count; ++r)
                if (f.reduction[r] != t.reduction[range_of[r]]) return false;
        return true;
    }

    static constexpr index_map renamed_map(const index_map& m, const int (&range_of)[max_ranges], int count) {
        index_map result = m;
        for (int a = 0; a < m.rank; ++a) {
            result.axes[a] = affine{};
            result.axes[a].offset = m.axes[a].offset;
            for (int r = 0; r < count; ++r) result.axes[a].set(range_of[r], m.axes[a][r]);
        }
        return result;
    }

    /// After renaming, do members of `from` and `to` that read each other stand at the same places?
    constexpr bool edges_agree(int from, int to, const int (&range_of)[max_ranges]) {
        const int count = groups[from].domain.count;
        for (int n = groups[from].first; n >= 0; n = next[n]) {
            for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) {
                const int x = g.nodes[n].operands[k];
                if (group_of[base_of(g, x)] == to && !edge_agrees(n, x, to, true, range_of, count)) return false;
            }
            if (!readers_agree(n, n, from, to, range_of, count)) return false;
        }
        return true;
    }
    constexpr bool readers_agree(int member, int view, int from, int to, const int (&range_of)[max_ranges], int count) {
        for (int i = consumers.begin[view]; i < consumers.begin[view + 1]; ++i) {
            const int c = consumers.list[i];
            if (is_view(g.nodes[c].code)) {
                if (!readers_agree(member, c, from, to, range_of, count)) return false;
            } else if (group_of[c] == to && !edge_agrees(c, view, from, false, range_of, count)) {
                return false;
            }
        }
        return true;
    }
    /// Does consumer `c` (in `own`) read `view` (of a member of `other`) where `c` itself stands?
    constexpr bool edge_agrees(int c, int view, int other, bool own_renamed, const int (&range_of)[max_ranges],
                               int count) {
        const int ranges = groups[other].domain.count;
        const join_result slot = map_from_member(view, other);
        if (!slot.ok() || groups[other].domain.count != ranges) return false;
        const index_map& theirs = maps[slot.map];
        const index_map& mine = maps[reading_map(c)];
        return own_renamed ? agrees(theirs, renamed_map(mine, range_of, count))
                           : agrees(renamed_map(theirs, range_of, count), mine);
    }

    /// Moves every member of `from` into `to`.
    constexpr void move_members(int from, int to, const int (&range_of)[max_ranges]) {
        fusion_group& source = groups[from];
        const int count = source.domain.count;
        for (int r = 0; r < count; ++r)
            if (source.domain.reduction[r]) groups[to].domain.reduction[range_of[r]] = true;
        for (int i = source.first_map; i >= 0; i = map_next[i]) {
            maps[i] = renamed_map(maps[i], range_of, count);
            map_group[i] = to;
        }
        append_maps(to, source.first_map, source.last_map);
        source.first_map = source.last_map = -1;
        for (int n = source.first; n >= 0;) {
            const int after = next[n];
            next[n] = -1;
            add_member(n, to);
            n = after;
        }
        source.first = source.last = -1;
        source.size = source.reductions = 0;
    }

    /// Merges the smaller of two groups into the other if ranges match, edges agree and no cycle arises. The maps say
    /// where both stand in one tensor.
    constexpr fusion_reason merge(int a, int a_map, int b, int b_map) {
        if (is_full(groups[a].size + groups[b].size, groups[a].reductions + groups[b].reductions))
            return fusion_reason::kernel_full;
        const int a_ranges = groups[a].domain.count;
        const int b_ranges = groups[b].domain.count;
        const bool a_moves = a_ranges != b_ranges ? a_ranges < b_ranges
                                                  : maps[a_map].has_holes() ||
                                                        (!maps[b_map].has_holes() && groups[a].size <= groups[b].size);
        const int from = a_moves ? a : b;
        const int to = a_moves ? b : a;
        const index_map from_map = maps[a_moves ? a_map : b_map];
        const index_map to_map = maps[a_moves ? b_map : a_map];
        if (to_map.has_holes()) return fusion_reason::domains_differ;
        int range_of[max_ranges] = {};
        if (!match_ranges(from, from_map, to, to_map, range_of)) {
            const bool both = groups[from].domain.has_reduction() && groups[to].domain.has_reduction();
            return both ? fusion_reason::reduction_axes_differ : fusion_reason::domains_differ;
        }
        if (!edges_agree(from, to, range_of)) return fusion_reason::index_maps_differ;
        const fusion_reason reason = check_merge(from, to);
        if (reason == fusion_reason::fused) move_members(from, to, range_of);
        return reason;
    }

    /// Index map of the operands of a member: its home, or a reduction's map of what it reduces.
    [[nodiscard]] constexpr int reading_map(int node) const {
        return is_reduction(g.nodes[node].code) ? operand_map[node] : home[node];
    }

    //=== the vertical pass ===//

    /// Puts one node into the group of a producer if it can, else into a new group; then draws the groups of its other
    /// producers in.
    constexpr void visit(int node) {
        const struct node& n = g.nodes[node];
        int candidates[3] = {-1, -1, -1};
        int count = 0;
        // Latest producer first: groups before it may then be merged into its group, never the other way round.
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
            const int base = base_of(g, n.operands[k]);
            if (group_of[base] < 0) continue;
            int at = count++;
            for (; at > 0 && base_of(g, n.operands[candidates[at - 1]]) < base; --at)
                candidates[at] = candidates[at - 1];
            candidates[at] = k;
        }
        int group = -1;
        for (int i = 0; i < count && group < 0; ++i) {
            const int producer = group_of[base_of(g, n.operands[candidates[i]])];
            join_result place_found = find_place(node, producer);
            edge_reason[3 * node + candidates[i]] = place_found.reason;
            if (!place_found.ok()) continue;
            group = producer;
            place(node, group, place_found.map);
        }
        if (group < 0) group = new_group(node);
        if (facts.fusion_level < 1) return;
        for (int i = 0; i < count; ++i) {
            const int k = candidates[i];
            const int producer = group_of[base_of(g, n.operands[k])];
            if (producer == group_of[node]) continue;
            const join_result slot = map_from_member(n.operands[k], producer);
            if (!slot.ok()) {
                edge_reason[3 * node + k] = slot.reason;
                continue;
            }
            const fusion_reason reason = merge(producer, slot.map, group_of[node], reading_map(node));
            if (edge_reason[3 * node + k] == fusion_reason::domains_differ || reason == fusion_reason::fused)
                edge_reason[3 * node + k] = reason;
        }
    }

    constexpr void fuse_vertically() {
        for (int n = 0; n < g.size; ++n)
            if (is_computed(g.nodes[n].code)) visit(n);
    }
};

} // namespace toroid
