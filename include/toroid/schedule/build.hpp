#pragma once
// build: a group of nodes becomes a kernel body: values in order, accesses, stores, ranges in loop order.

#include <toroid/schedule/kernel.hpp>
#include <toroid/schedule/materialize.hpp>

namespace toroid {

/// A kernel body under construction; dim numbers are those of the scheduler.
struct kernel_body_builder {
    growable<kernel_value> values;
    growable<kernel_access> accesses;
    growable<kernel_store> stores;
    growable<kernel_argument> arguments;
    growable<int> argument_nodes; ///< storage behind each argument: a leaf, matmul, concat or stored node
    growable<kernel_range> ranges;
    int stages = 1;
    int lane_range = -1;
};

namespace detail {

/// Offset and strides of a view over the storage of its base, as dim numbers.
struct numbered_strides {
    int offset = 0;
    int strides[max_rank] = {};
};

constexpr numbered_strides strides_of(numbered_graph& graph, int view) {
    const node& n = graph.g.nodes[view];
    numbered_strides result;
    const int rank = graph.rank(view);
    if (!is_view(n.code)) {
        for (int a = 0; a < rank; ++a) result.strides[a] = graph.stride(view, a);
        return result;
    }
    const numbered_strides below = strides_of(graph, n.operands[0]);
    const int x = n.operands[0];
    result.offset = below.offset;
    if (n.code == op::permute) {
        for (int a = 0; a < rank; ++a) result.strides[a] = below.strides[permutation_axis(n.payload, a)];
    } else if (n.code == op::expand) {
        const int shift = rank - graph.rank(x);
        for (int a = shift; a < rank; ++a)
            result.strides[a] = graph.extent(x, a - shift) == 1 ? 0 : below.strides[a - shift];
    } else if (n.code == op::slice) {
        const int axis = slice_axis(n.payload);
        result = below;
        result.offset = graph.dims.add(result.offset, graph.dims.multiply(graph.number(n.start), below.strides[axis]));
        result.strides[axis] = graph.dims.multiply(below.strides[axis], graph.dims.intern(dim(slice_step(n.payload))));
    } else {
        // Reshape: axes of extent 1 come and go; anything else is worked out on dims.
        int from_axes[max_rank] = {};
        int to_axes[max_rank] = {};
        const int count = wide_axes(graph, x, from_axes);
        bool moves = count == wide_axes(graph, view, to_axes);
        for (int i = 0; i < count && moves; ++i)
            moves = graph.extent(x, from_axes[i]) == graph.extent(view, to_axes[i]);
        if (moves) {
            for (int i = 0; i < count; ++i) result.strides[to_axes[i]] = below.strides[from_axes[i]];
            return result;
        }
        dim strides[max_rank];
        for (int a = 0; a < graph.rank(x); ++a) strides[a] = graph.dims[below.strides[a]];
        reshape_strides(graph.g.extents_of(x), graph.g.extents_of(view), strides);
        for (int a = 0; a < rank; ++a) result.strides[a] = graph.dims.intern(strides[a]);
    }
    return result;
}

/// Where a stored node lies: in its own buffer, or inside the buffer of the concat that it is a part of.
struct storage_place {
    int node = -1;
    numbered_strides strides;
};

constexpr storage_place place_of(numbered_graph& graph, const consumer_lists& consumers, int node) {
    storage_place place;
    place.node = node;
    int start[max_rank] = {};
    bool inside = true;
    while (inside) {
        inside = false;
        for (int i = consumers.begin[place.node]; i < consumers.begin[place.node + 1]; ++i) {
            const int c = consumers.list[i];
            const struct node& n = graph.g.nodes[c];
            if (n.code != op::concat) continue;
            const int axis = static_cast<int>(n.payload);
            if (n.operands[1] == place.node)
                start[axis] = graph.dims.add(start[axis], graph.extent(n.operands[0], axis));
            place.node = c;
            inside = true;
            break;
        }
    }
    place.strides = strides_of(graph, place.node);
    for (int a = 0; a < graph.rank(node); ++a)
        place.strides.offset =
            graph.dims.add(place.strides.offset, graph.dims.multiply(start[a], place.strides.strides[a]));
    return place;
}

struct kernel_builder {
    fusion_state& state;
    const storage_choice& storage;
    growable<int> value_of; ///< by node, for members; valid for the group being built
    kernel_body_builder body;
    int group = -1;

    struct inlined_value {
        int node = -1;
        index_map map;
        int value = -1;
    };
    growable<inlined_value> inlined;
    growable<int> shared_values; ///< loads, indices, constants and extents of the body

    constexpr kernel_builder(fusion_state& s, const storage_choice& c) : state(s), storage(c), value_of(s.g.size, -1) {}

    [[nodiscard]] constexpr const loop_domain& domain() const { return state.groups[group].domain; }

    constexpr int argument(int node, bool written) {
        for (int i = 0; i < body.arguments.size(); ++i)
            if (body.argument_nodes[i] == node) {
                body.arguments[i].written = body.arguments[i].written || written;
                return i;
            }
        body.argument_nodes.push(node);
        return body.arguments.push({state.g.nodes[node].type, written});
    }
    constexpr int access(const kernel_access& a) {
        for (int i = 0; i < body.accesses.size(); ++i)
            if (body.accesses[i] == a) return i;
        return body.accesses.push(a);
    }
    /// Address of the element at `map` under the given strides.
    constexpr int address(int argument_number, const numbered_strides& strides, const index_map& map) {
        dim_table& dims = state.graph.dims;
        kernel_access result;
        result.argument = argument_number;
        result.offset = strides.offset;
        for (int a = 0; a < map.rank; ++a) {
            const int stride = strides.strides[a];
            if (stride == 0) continue;
            result.offset = dims.add(result.offset, dims.multiply(stride, map.axes[a].offset));
            if (map.axes[a].is_still()) continue;
            for (int r = 0; r < domain().count; ++r)
                result.strides[r] = dims.add(result.strides[r], dims.multiply(stride, map.axes[a][r]));
        }
        return access(result);
    }
    [[nodiscard]] constexpr bool runs_in_reduction(int access_number) const {
        for (int r = 0; r < domain().count; ++r)
            if (domain().reduction[r] && body.accesses[access_number].strides[r] != 0) return true;
        return false;
    }

    /// Value of operand `view` for a reader that stands at `map`.
    constexpr int operand_value(int view, const index_map& map) {
        const graph_view& g = state.g;
        const int base = base_of(g, view);
        const node& n = g.nodes[base];
        if (is_computed(n.code) && state.group_of[base] == group) return value_of[base];
        kernel_value v;
        v.type = v.operand_type = n.type;
        if (n.code == op::constant) {
            v.kind = value_kind::constant;
            v.payload = n.payload;
            return shared(v);
        }
        if (n.code == op::extent) {
            v.kind = value_kind::extent;
            v.access = state.graph.number(n.start);
            return shared(v);
        }
        if (is_pointwise(n.code) && !storage.stored[base]) return inline_value(view, map);
        // Memory, or an index, which is the address in an imaginary array 0, 1, 2, …
        const bool index = n.code == op::iota;
        v.kind = index ? value_kind::index : value_kind::load;
        v.access = address(index ? -1 : argument(base, false), strides_of(state.graph, view), map);
        v.in_reduction = runs_in_reduction(v.access);
        return shared(v);
    }
    /// Loads, indices and constants occur once.
    constexpr int shared(const kernel_value& v) {
        for (int i = 0; i < shared_values.size(); ++i) {
            const kernel_value& known = body.values[shared_values[i]];
            if (known.kind == v.kind && known.access == v.access && known == v) return shared_values[i];
        }
        return shared_values[shared_values.push(body.values.push(v))];
    }
    constexpr int inline_value(int view, const index_map& map) {
        index_map below;
        map_below(state, view, group, map, below);
        const int base = base_of(state.g, view);
        for (const inlined_value& known : inlined)
            if (known.node == base && known.map == below) return known.value;
        const int value = compute(base, below);
        inlined.push({base, below, value});
        return value;
    }
    constexpr int compute(int node, const index_map& map) {
        const struct node& n = state.g.nodes[node];
        kernel_value v;
        v.code = n.code;
        v.type = n.type;
        v.operand_type = n.type;
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
            v.operands[k] = operand_value(n.operands[k], map);
            const kernel_value& x = body.values[v.operands[k]];
            v.stage = x.stage > v.stage ? x.stage : v.stage;
            v.in_reduction = v.in_reduction || x.in_reduction;
            if (k == (n.code == op::where ? 1 : 0)) v.operand_type = x.type;
        }
        if (is_reduction(n.code)) {
            v.kind = value_kind::reduce;
            v.stage += 1;
            v.in_reduction = false;
            if (is_arg_reduction(n.code)) v.access = element_number(n, map);
        }
        return body.values.push(v);
    }
    /// Number of an element among the reduced ones, row-major over the reduced axes.
    constexpr int element_number(const node& n, const index_map& map) {
        numbered_strides strides;
        int product = 1;
        for (int a = map.rank - 1; a >= 0; --a)
            if (has_axis(n.payload, a)) {
                strides.strides[a] = product;
                product = state.graph.dims.multiply(product, state.graph.extent(n.operands[0], a));
            }
        return address(-1, strides, map);
    }

    constexpr void build_values() {
        // Joining order is not topological after merges, node order is.
        growable<int> members;
        for (int n = state.groups[group].first; n >= 0; n = state.next[n])
            if (storage.needed[n]) members.push(n);
        sort(members);
        for (const int n : members) {
            // Copied: inlining may split ranges.
            const index_map map = state.maps[state.reading_map(n)];
            value_of[n] = compute(n, map);
        }
        for (const int n : members) {
            if (!storage.stored[n]) continue;
            const storage_place place = place_of(state.graph, state.consumers, n);
            body.stores.push(
                {value_of[n], address(argument(place.node, true), place.strides, state.maps[state.home[n]])});
        }
    }
    static constexpr void sort(growable<int>& list) {
        // Members come as a few ascending runs; merge sort keeps this O(n log n) in constant evaluation.
        growable<int> scratch(list.size());
        for (int width = 1; width < list.size(); width *= 2)
            for (int begin = 0; begin < list.size(); begin += 2 * width) {
                const int middle = begin + width < list.size() ? begin + width : list.size();
                const int end = begin + 2 * width < list.size() ? begin + 2 * width : list.size();
                int i = begin;
                int j = middle;
                for (int k = begin; k < end; ++k)
                    scratch[k] = j >= end || (i < middle && list[i] < list[j]) ? list[i++] : list[j++];
                for (int k = begin; k < end; ++k) list[k] = scratch[k];
            }
    }

    //=== loop order ===//

    constexpr void order_ranges() {
        const loop_domain& d = domain();
        const int lane = choose_lane();
        int order[max_ranges] = {};
        int count = 0;
        for (const bool reduced : {false, true}) {
            for (int i = 0; i < d.count; ++i)
                if (d.reduction[d.order[i]] == reduced && d.order[i] != lane) order[count++] = d.order[i];
            if (lane >= 0 && d.reduction[lane] == reduced) order[count++] = lane;
        }
        bool dropped[max_ranges] = {};
        int extents[max_ranges] = {};
        for (int i = 0; i < count; ++i) extents[i] = d.extents[order[i]];
        // Neighbours that every access walks as one range become one.
        for (int i = count - 2; i >= 0; --i) {
            int inner = i + 1;
            while (dropped[inner]) ++inner;
            if (d.reduction[order[i]] != d.reduction[order[inner]]) continue;
            bool together = true;
            for (const kernel_access& a : body.accesses)
                together = together &&
                           a.strides[order[i]] == state.graph.dims.multiply(a.strides[order[inner]], extents[inner]);
            if (!together) continue;
            extents[inner] = state.graph.dims.multiply(extents[inner], extents[i]);
            dropped[i] = true;
        }
        for (int i = 0; i < count; ++i) {
            if (dropped[i]) continue;
            if (order[i] == lane) body.lane_range = body.ranges.size();
            body.ranges.push({extents[i], d.reduction[order[i]]});
        }
        for (kernel_access& a : body.accesses) {
            kernel_access moved = a;
            int at = 0;
            for (int& stride : moved.strides) stride = 0;
            for (int i = 0; i < count; ++i)
                if (!dropped[i]) moved.strides[at++] = a.strides[order[i]];
            a = moved;
        }
    }
    /// The range along which most memory is contiguous. Stores count twice; in a reduction, what is touched per element
    /// outweighs everything that is touched once per row; reduced ranges win ties.
    [[nodiscard]] constexpr int choose_lane() const {
        const loop_domain& d = domain();
        const bool reduces = d.has_reduction();
        const auto weight = [&](int number) {
            const kernel_access& a = body.accesses[number];
            if (a.argument < 0) return 0;
            return !reduces || runs_in_reduction(number) ? 1024 : 2;
        };
        int best = -1;
        int best_score = -1;
        for (int i = d.count - 1; i >= 0; --i) {
            const int r = d.order[i];
            int score = 0;
            for (int a = 0; a < body.accesses.size(); ++a) score += body.accesses[a].strides[r] == 1 ? weight(a) : 0;
            for (const kernel_store& s : body.stores)
                score += body.accesses[s.access].strides[r] == 1 ? weight(s.access) : 0;
            score += d.reduction[r] ? 1 : 0;
            if (score > best_score) {
                best = r;
                best_score = score;
            }
        }
        return best;
    }

    //=== passes ===//

    constexpr void assign_passes() {
        for (const kernel_value& v : body.values) body.stages = v.stage + 1 > body.stages ? v.stage + 1 : body.stages;
        for (const kernel_store& s : body.stores)
            body.values[s.value].passes |= std::uint64_t{1} << body.values[s.value].stage;
        const std::int64_t row = row_elements();
        std::int64_t stash = state.facts.stash_bytes;
        for (int i = body.values.size() - 1; i >= 0; --i) {
            kernel_value& v = body.values[i];
            std::uint64_t wanted = v.passes;
            if (v.kind == value_kind::reduce) {
                wanted = std::uint64_t{1} << (v.stage - 1);
            } else if (v.in_reduction && (v.passes & (v.passes - 1)) != 0 && v.kind == value_kind::compute &&
                       is_expensive(v.code) && row > 0 && row * 8 <= stash) {
                v.stashed = true;
                stash -= row * 8;
                wanted = v.passes & (~v.passes + 1);
            }
            for (int k = 0; k < 3 && v.operands[k] >= 0; ++k) body.values[v.operands[k]].passes |= wanted;
        }
    }
    /// Elements of one row when lanes run along the row and its length is known; else 0.
    [[nodiscard]] constexpr std::int64_t row_elements() const {
        if (body.lane_range < 0 || !body.ranges[body.lane_range].reduction) return 0;
        std::int64_t product = 1;
        for (const kernel_range& r : body.ranges) {
            if (!r.reduction) continue;
            const dim extent = state.graph.dims[r.extent];
            if (!extent.is_constant()) return 0;
            product *= extent.k;
        }
        return product;
    }

    constexpr kernel_body_builder build(int number) {
        group = number;
        // Inlining may split ranges; then everything is built again over the finer ranges.
        int ranges = -1;
        while (ranges != domain().count) {
            ranges = domain().count;
            body = kernel_body_builder{};
            inlined.clear();
            shared_values.clear();
            build_values();
        }
        order_ranges();
        assign_passes();
        return static_cast<kernel_body_builder&&>(body);
    }
};

} // namespace detail
} // namespace toroid
