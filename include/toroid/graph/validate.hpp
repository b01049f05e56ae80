#pragma once
// validate: the invariants of a graph, checked after every pass.

#include <toroid/graph/graph.hpp>
#include <toroid/ops/list.hpp>

namespace toroid {

enum class graph_fault : std::uint8_t {
    none,
    operand_order,
    arity,
    table_index,
    operand_shape,
    operand_dtype,
    result_dtype,
    permutation,
    element_count,
    broadcast,
    slice_axis,
    reduced_extent,
    contraction,
    output
};

/// First broken invariant of a graph and the node that breaks it.
struct validation {
    graph_fault fault = graph_fault::none;
    int node = -1;
    [[nodiscard]] constexpr bool ok() const { return fault == graph_fault::none; }
};

namespace detail {

constexpr graph_fault check_pointwise(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const type_rule rule = facts(n.code).rule;
    const int first = rule == type_rule::select ? 1 : 0;
    const dtype operand = g.nodes[n.operands[first]].type;
    for (int k = 0; k < 3 && n.operands[k] >= 0; ++k) {
        const node& x = g.nodes[n.operands[k]];
        if (x.shape != n.shape) return graph_fault::operand_shape;
        if (k >= first && x.type != operand) return graph_fault::operand_dtype;
    }
    switch (rule) {
    case type_rule::same: return n.type == operand ? graph_fault::none : graph_fault::result_dtype;
    case type_rule::floating:
        return n.type == operand && is_floating(operand) ? graph_fault::none : graph_fault::result_dtype;
    case type_rule::comparison: return n.type == dtype::bool_ ? graph_fault::none : graph_fault::result_dtype;
    case type_rule::logical:
        if (operand != dtype::bool_) return graph_fault::operand_dtype;
        return n.type == dtype::bool_ ? graph_fault::none : graph_fault::result_dtype;
    case type_rule::select:
        if (g.nodes[n.operands[0]].type != dtype::bool_) return graph_fault::operand_dtype;
        return n.type == operand ? graph_fault::none : graph_fault::result_dtype;
    case type_rule::convert: return graph_fault::none;
    }
    return graph_fault::none;
}

/// Other axes are unchanged, and constant slices lie inside.
constexpr graph_fault check_slice(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const int axis = slice_axis(n.payload);
    for (int a = 0; a < g.rank_of(i); ++a)
        if (a != axis && !(g.extent(i, a) == g.extent(n.operands[0], a))) return graph_fault::slice_axis;
    const dim start = g.dims[n.start];
    const dim length = g.extent(i, axis);
    const dim extent = g.extent(n.operands[0], axis);
    if (!start.is_constant() || !length.is_constant() || !extent.is_constant() || length.k == 0)
        return graph_fault::none;
    const std::int64_t last = start.k + (length.k - 1) * slice_step(n.payload);
    const bool inside = start.k >= 0 && start.k < extent.k && last >= 0 && last < extent.k;
    return inside ? graph_fault::none : graph_fault::slice_axis;
}

constexpr graph_fault check_view(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const int x = n.operands[0];
    if (n.type != g.nodes[x].type) return graph_fault::result_dtype;
    const int rank = g.rank_of(i);
    const int from = g.rank_of(x);
    if (n.code == op::permute) {
        if (rank != from) return graph_fault::permutation;
        for (int a = 0; a < rank; ++a) {
            const int source = permutation_axis(n.payload, a);
            if (source >= from || g.shape_of(i).extents[a] != g.shape_of(x).extents[source])
                return graph_fault::permutation;
            for (int b = 0; b < a; ++b)
                if (permutation_axis(n.payload, b) == source) return graph_fault::permutation;
        }
    } else if (n.code == op::reshape) {
        // with_extents retypes by facts that only guards know; then element counts are equal at run time.
        if (g.guard_count == 0 && !(g.numel(i) == g.numel(x))) return graph_fault::element_count;
    } else if (n.code == op::expand) {
        if (from > rank) return graph_fault::broadcast;
        for (int a = 0; a < from; ++a) {
            const dim source = g.extent(x, a);
            if (!(source == dim(1)) && !(source == g.extent(i, rank - from + a))) return graph_fault::broadcast;
        }
    } else {
        if (rank != from || slice_axis(n.payload) >= rank || n.start < 0 || n.start >= g.dim_count)
            return graph_fault::slice_axis;
        return check_slice(g, i);
    }
    return graph_fault::none;
}

constexpr graph_fault check_reduction(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const int x = n.operands[0];
    if (g.rank_of(i) != g.rank_of(x)) return graph_fault::reduced_extent;
    const dtype operand = g.nodes[x].type;
    const bool truth = n.code == op::reduce_any || n.code == op::reduce_all;
    const dtype expected = is_arg_reduction(n.code) ? dtype::i64 : truth ? dtype::bool_ : operand;
    if (n.type != expected || (truth && operand != dtype::bool_)) return graph_fault::result_dtype;
    const bool keeps_shape = n.code == op::softmax || n.code == op::log_softmax;
    for (int a = 0; a < g.rank_of(i); ++a) {
        const bool reduced = !keeps_shape && has_axis(n.payload, a);
        if (!(g.extent(i, a) == (reduced ? dim(1) : g.extent(x, a)))) return graph_fault::reduced_extent;
    }
    return graph_fault::none;
}

constexpr graph_fault check_matmul(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const int rank = g.rank_of(i);
    const int a = n.operands[0];
    const int b = n.operands[1];
    if (g.nodes[a].type != n.type || g.nodes[b].type != n.type) return graph_fault::operand_dtype;
    if (rank < 2 || g.rank_of(a) != rank || g.rank_of(b) != rank) return graph_fault::contraction;
    for (int axis = 0; axis < rank - 2; ++axis)
        if (!(g.extent(a, axis) == g.extent(i, axis)) || !(g.extent(b, axis) == g.extent(i, axis)))
            return graph_fault::contraction;
    if (!(g.extent(a, rank - 1) == g.extent(b, rank - 2)) || !(g.extent(a, rank - 2) == g.extent(i, rank - 2)) ||
        !(g.extent(b, rank - 1) == g.extent(i, rank - 1)))
        return graph_fault::contraction;
    return graph_fault::none;
}

constexpr graph_fault check_concat(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    const int rank = g.rank_of(i);
    const auto axis = static_cast<int>(n.payload);
    if (axis < 0 || axis >= rank) return graph_fault::operand_shape;
    for (int k = 0; k < 2; ++k) {
        if (g.nodes[n.operands[k]].type != n.type) return graph_fault::operand_dtype;
        if (g.rank_of(n.operands[k]) != rank) return graph_fault::operand_shape;
    }
    for (int a = 0; a < rank; ++a) {
        const dim left = g.extent(n.operands[0], a);
        const dim right = g.extent(n.operands[1], a);
        const bool fits = a == axis ? g.extent(i, a) == left + right : g.extent(i, a) == left && left == right;
        if (!fits) return graph_fault::operand_shape;
    }
    return graph_fault::none;
}

constexpr graph_fault check_node(const graph_view& g, int i) {
    const node& n = g.nodes[i];
    if (n.shape < 0 || n.shape >= g.shape_count || n.label >= g.label_count) return graph_fault::table_index;
    const int expected = arity(n.code);
    for (int k = 0; k < 3; ++k) {
        if ((n.operands[k] >= 0) != (k < expected)) return graph_fault::arity;
        if (n.operands[k] >= i) return graph_fault::operand_order;
    }
    if (expected == 0) return graph_fault::none;
    if (is_pointwise(n.code)) return check_pointwise(g, i);
    if (is_view(n.code)) return check_view(g, i);
    if (is_reduction(n.code) || is_composite(n.code)) return check_reduction(g, i);
    return n.code == op::matmul ? check_matmul(g, i) : check_concat(g, i);
}

} // namespace detail

/// Checks operand order, arity, table indices, shapes and dtypes of every node. O(N).
constexpr validation validate(const graph_view& g) {
    for (int i = 0; i < g.size; ++i) {
        const graph_fault fault = detail::check_node(g, i);
        if (fault != graph_fault::none) return {fault, i};
    }
    for (int i = 0; i < g.output_count; ++i)
        if (g.outputs[i].node < 0 || g.outputs[i].node >= g.size) return {graph_fault::output, g.outputs[i].node};
    return {};
}

} // namespace toroid
