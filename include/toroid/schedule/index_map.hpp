#pragma once
// index_map: where a loop nest stands in a tensor: each tensor index as an affine function of the loop ranges.

#include <toroid/core/fault.hpp>
#include <toroid/graph/strides.hpp>
#include <toroid/schedule/dim_table.hpp>

namespace toroid {

/// Most loop ranges of one kernel.
inline constexpr int max_ranges = 8;

/// Stops constant evaluation: a program has more than 65,535 distinct extents and strides.
[[noreturn]] inline void schedule_has_too_many_distinct_extents() { fault("schedule has too many distinct extents"); }

/// An affine function of loop ranges: dim numbers of the offset and of one coefficient per range, 16 bits each.
struct affine {
    int offset = 0;
    std::uint64_t words[max_ranges / 4] = {};

    [[nodiscard]] constexpr int operator[](int range) const {
        return static_cast<int>(words[range / 4] >> (16 * (range % 4)) & 0xffff);
    }
    constexpr void set(int range, int coefficient) {
        if (coefficient > 0xffff) schedule_has_too_many_distinct_extents();
        const int shift = 16 * (range % 4);
        words[range / 4] =
            (words[range / 4] & ~(std::uint64_t{0xffff} << shift)) | static_cast<std::uint64_t>(coefficient) << shift;
    }
    /// True when no range moves the index.
    [[nodiscard]] constexpr bool is_still() const { return words[0] == 0 && words[1] == 0; }

    friend constexpr bool operator==(const affine&, const affine&) = default;
};

/// One affine function per tensor axis. A hole (bit of `holes`) is an axis of which a broadcast operand says nothing.
struct index_map {
    int rank = 0;
    unsigned holes = 0;
    affine axes[max_rank];

    friend constexpr bool operator==(const index_map& a, const index_map& b) {
        if (a.rank != b.rank || a.holes != b.holes) return false;
        for (int i = 0; i < a.rank; ++i)
            if (!(a.axes[i] == b.axes[i])) return false;
        return true;
    }
    [[nodiscard]] constexpr bool has_holes() const { return holes != 0; }
    [[nodiscard]] constexpr bool is_hole(int axis) const { return (holes >> axis & 1u) != 0; }
    constexpr void set_hole(int axis, bool hole) { holes = (holes & ~(1u << axis)) | (hole ? 1u << axis : 0u); }
};

/// The loop ranges of a group of nodes: x ranges, and r ranges (`reduction`) that its reductions run over.
struct loop_domain {
    int count = 0;
    int extents[max_ranges] = {};     ///< dim numbers
    bool reduction[max_ranges] = {};
    int order[max_ranges] = {};       ///< range numbers from the outermost loop inwards

    [[nodiscard]] constexpr bool has_reduction() const {
        for (int r = 0; r < count; ++r)
            if (reduction[r]) return true;
        return false;
    }
    /// Appends a range as the innermost loop; -1 when there is no room.
    constexpr int add(int extent, bool is_reduced) {
        if (count == max_ranges) return -1;
        extents[count] = extent;
        reduction[count] = is_reduced;
        order[count] = count;
        return count++;
    }
    /// Splits a range into (outer, inner): the old number keeps the outer part. Returns the inner range or -1.
    constexpr int split(int range, int outer, int inner) {
        if (count == max_ranges) return -1;
        const int added = count++;
        extents[range] = outer;
        extents[added] = inner;
        reduction[added] = reduction[range];
        int at = 0;
        while (order[at] != range) ++at;
        for (int i = count - 1; i > at + 1; --i) order[i] = order[i - 1];
        order[at + 1] = added;
        return added;
    }
};

/// A split that a reshape asks for: range `range` (coefficient c in the linear index) becomes an outer part and an inner
/// part of extent `inner`.
struct range_split {
    int range = -1;
    int outer = 0;
    int inner = 0;
};

enum class map_result : std::uint8_t { mapped, needs_split, impossible };

namespace detail {

/// Sequence of axes with extent other than 1.
constexpr int wide_axes(const numbered_graph& graph, int node, int (&axes)[max_rank]) {
    int count = 0;
    for (int a = 0; a < graph.rank(node); ++a)
        if (graph.extent(node, a) != 1) axes[count++] = a;
    return count;
}

/// Reshape that only inserts or removes axes of extent 1: axes move, holes with them.
constexpr bool move_axes(const numbered_graph& graph, const index_map& from, int from_node, int to_node,
                         index_map& to) {
    int a[max_rank] = {};
    int b[max_rank] = {};
    const int count = wide_axes(graph, from_node, a);
    if (count != wide_axes(graph, to_node, b)) return false;
    for (int i = 0; i < count; ++i)
        if (graph.extent(from_node, a[i]) != graph.extent(to_node, b[i])) return false;
    to = index_map{};
    to.rank = graph.rank(to_node);
    for (int i = 0; i < count; ++i) {
        to.axes[b[i]] = from.axes[a[i]];
        to.set_hole(b[i], from.is_hole(a[i]));
    }
    return true;
}

} // namespace detail

/// Carries an index map through a reshape between two nodes of equal element count, in either direction. The linear
/// index must be a full mixed radix over the ranges; a range that straddles two new axes has to be split first.
constexpr map_result reshape_map(numbered_graph& graph, const loop_domain& domain, const index_map& from, int from_node,
                                 int to_node, index_map& to, range_split& split) {
    dim_table& dims = graph.dims;
    if (detail::move_axes(graph, from, from_node, to_node, to)) return map_result::mapped;
    if (from.has_holes()) return map_result::impossible;
    // Linear index of the element in row-major order.
    affine linear;
    for (int a = from.rank - 1; a >= 0; --a) {
        if (from.axes[a].offset != 0) return map_result::impossible;
        for (int r = 0; r < domain.count; ++r)
            linear.set(r, dims.add(linear[r], dims.multiply(from.axes[a][r], graph.stride(from_node, a))));
    }
    to = index_map{};
    to.rank = graph.rank(to_node);
    bool used[max_ranges] = {};
    int base = 1; // coefficient in `linear` at which the current axis begins
    for (int a = to.rank - 1; a >= 0; --a) {
        const int extent = graph.extent(to_node, a);
        int inside = 1; // part of `extent` that is covered
        while (inside != extent) {
            const int wanted = dims.multiply(base, inside);
            int range = -1;
            for (int r = 0; r < domain.count; ++r)
                if (!used[r] && linear[r] == wanted && domain.extents[r] != 1) range = r;
            if (range < 0) return map_result::impossible;
            const int rest = dims.divide(extent, inside);
            if (rest < 0) return map_result::impossible;
            if (dims.divide(rest, domain.extents[range]) < 0) {
                const int outer = dims.divide(domain.extents[range], rest);
                if (outer < 0) return map_result::impossible;
                split = {range, outer, rest};
                return map_result::needs_split;
            }
            to.axes[a].set(range, inside);
            used[range] = true;
            inside = dims.multiply(inside, domain.extents[range]);
        }
        base = dims.multiply(base, extent);
    }
    return map_result::mapped;
}

/// Index map of a view's operand, given that of the view. Fails (impossible) only at reshapes.
constexpr map_result map_to_operand(numbered_graph& graph, const loop_domain& domain, const index_map& from, int view,
                                    index_map& to, range_split& split) {
    const node& n = graph.g.nodes[view];
    const int x = n.operands[0];
    to = index_map{};
    to.rank = graph.rank(x);
    switch (n.code) {
    case op::permute:
        for (int a = 0; a < from.rank; ++a) {
            to.axes[permutation_axis(n.payload, a)] = from.axes[a];
            to.set_hole(permutation_axis(n.payload, a), from.is_hole(a));
        }
        return map_result::mapped;
    case op::expand: {
        const int shift = from.rank - to.rank;
        for (int a = 0; a < to.rank; ++a)
            if (graph.extent(x, a) != 1) {
                to.axes[a] = from.axes[a + shift];
                to.set_hole(a, from.is_hole(a + shift));
            }
        return map_result::mapped;
    }
    case op::slice: {
        dim_table& dims = graph.dims;
        const int axis = slice_axis(n.payload);
        for (int a = 0; a < from.rank; ++a) { to.axes[a] = from.axes[a]; }
        to.holes = from.holes;
        const int step = dims.intern(dim(slice_step(n.payload)));
        to.axes[axis].offset = dims.add(graph.number(n.start), dims.multiply(from.axes[axis].offset, step));
        for (int r = 0; r < domain.count; ++r) to.axes[axis].set(r, dims.multiply(from.axes[axis][r], step));
        return map_result::mapped;
    }
    default: return reshape_map(graph, domain, from, view, x, to, split);
    }
}

/// Index map of a view, given that of its operand, where the view covers the operand exactly: permute and reshape are
/// inverted, expand leaves holes at broadcast axes, slice is impossible.
constexpr map_result map_to_view(numbered_graph& graph, const loop_domain& domain, const index_map& from, int view,
                                 index_map& to, range_split& split) {
    const node& n = graph.g.nodes[view];
    const int x = n.operands[0];
    to = index_map{};
    to.rank = graph.rank(view);
    switch (n.code) {
    case op::permute:
        for (int a = 0; a < to.rank; ++a) {
            to.axes[a] = from.axes[permutation_axis(n.payload, a)];
            to.set_hole(a, from.is_hole(permutation_axis(n.payload, a)));
        }
        return map_result::mapped;
    case op::expand: {
        const int shift = to.rank - from.rank;
        for (int a = 0; a < to.rank; ++a) {
            if (a >= shift && graph.extent(x, a - shift) != 1) {
                to.axes[a] = from.axes[a - shift];
                to.set_hole(a, from.is_hole(a - shift));
            } else {
                to.set_hole(a, graph.extent(view, a) != 1);
            }
        }
        return map_result::mapped;
    }
    case op::slice: return map_result::impossible;
    default: return reshape_map(graph, domain, from, x, view, to, split);
    }
}

} // namespace toroid
