#pragma once
// strided_view: a chain of views as an offset and one stride per axis over the storage of its base.

#include <toroid/graph/graph.hpp>

namespace toroid {

/// How the elements of a view lie in the row-major storage of its base node.
struct strided_view {
    bool valid = false;       ///< false when a reshape in the chain cannot be expressed by strides
    int base = -1;            ///< first node below the chain that is not a view
    dim offset;               ///< elements
    dim strides[max_rank];    ///< elements, one per axis of the view; 0 for a broadcast axis
};

/// Row-major strides of a shape.
constexpr void contiguous_strides(const shape& s, dim (&strides)[max_rank]) {
    dim product = 1;
    for (int a = s.rank - 1; a >= 0; --a) {
        strides[a] = product;
        product = product * s.extents[a];
    }
}

namespace detail {

/// Is `a` known to be the smaller of two different products of extents?
constexpr bool is_less(const dim& a, const dim& b) {
    if (a.is_constant() && b.is_constant()) return a.k < b.k;
    return divide_exactly(b, a).exact;
}

/// True when the strides are those of row-major order; those of axes of extent 1 do not matter.
constexpr bool is_contiguous(const shape& s, const dim (&strides)[max_rank]) {
    dim expected = 1;
    for (int a = s.rank - 1; a >= 0; --a) {
        if (!s.extents[a].is(1) && !(strides[a] == expected)) return false;
        expected = expected * s.extents[a];
    }
    return true;
}

/// Strides of `to` over the storage that `from` addresses with `strides`, when each axis of `to` falls into a run of
/// axes of `from` that are contiguous with each other.
constexpr bool reshape_strides(const shape& from, const shape& to, dim (&strides)[max_rank]) {
    if (is_contiguous(from, strides)) {
        for (dim& stride : strides) stride = dim(0);
        contiguous_strides(to, strides);
        return true;
    }
    dim result[max_rank];
    int f = from.rank - 1;
    int t = to.rank - 1;
    while (t >= 0) {
        while (f >= 0 && from.extents[f].is(1)) --f;
        if (to.extents[t].is(1)) {
            result[t--] = dim(0);
            continue;
        }
        if (f < 0) return false;
        // Collect axes of both sides until their products agree.
        dim from_product = from.extents[f];
        dim to_product = to.extents[t];
        int from_first = f;
        int to_first = t;
        while (!(from_product == to_product)) {
            if (is_less(from_product, to_product) && from_first > 0) {
                const int next = from_first - 1;
                if (!from.extents[next].is(1) && !(strides[next] == strides[from_first] * from.extents[from_first]))
                    return false;
                if (from.extents[next].is(1)) strides[next] = strides[from_first] * from.extents[from_first];
                from_first = next;
                from_product = from_product * from.extents[next];
            } else if (is_less(to_product, from_product) && to_first > 0) {
                to_product = to_product * to.extents[--to_first];
            } else {
                return false;
            }
        }
        dim step = strides[f];
        for (int a = t; a >= to_first; --a) {
            result[a] = step;
            step = step * to.extents[a];
        }
        t = to_first - 1;
        f = from_first - 1;
    }
    for (int a = 0; a < max_rank; ++a) strides[a] = a < to.rank ? result[a] : dim(0);
    return true;
}

constexpr bool apply_view_strides(const graph_view& g, int v, strided_view& s) {
    const node& n = g.nodes[v];
    const shape to = g.extents_of(v);
    dim moved[max_rank];
    switch (n.code) {
    case op::permute:
        for (int a = 0; a < to.rank; ++a) moved[a] = s.strides[permutation_axis(n.payload, a)];
        for (int a = 0; a < to.rank; ++a) s.strides[a] = moved[a];
        return true;
    case op::expand: {
        const int from = g.rank_of(n.operands[0]);
        const int shift = to.rank - from;
        for (int a = 0; a < to.rank; ++a) {
            const bool broadcast = a < shift || (g.extent(n.operands[0], a - shift).is(1) && !to.extents[a].is(1));
            moved[a] = broadcast ? dim(0) : s.strides[a - shift];
        }
        for (int a = 0; a < to.rank; ++a) s.strides[a] = moved[a];
        return true;
    }
    case op::slice: {
        const int axis = slice_axis(n.payload);
        s.offset = s.offset + g.dims[n.start] * s.strides[axis];
        s.strides[axis] = s.strides[axis] * dim(slice_step(n.payload));
        return true;
    }
    default: return reshape_strides(g.extents_of(n.operands[0]), to, s.strides);
    }
}

} // namespace detail

/// The chain of views that ends in node `v`, as strides. A node that is no view is its own base, row-major.
constexpr strided_view resolve_strides(const graph_view& g, int v) {
    int chain[16] = {};
    int length = 0;
    strided_view result;
    while (is_view(g.nodes[v].code)) {
        if (length < 16) chain[length] = v;
        ++length;
        v = g.nodes[v].operands[0];
    }
    result.base = v;
    if (length > 16) return result;
    contiguous_strides(g.extents_of(v), result.strides);
    while (length > 0)
        if (!detail::apply_view_strides(g, chain[--length], result)) return result;
    result.valid = true;
    return result;
}

/// First node below a chain of views.
constexpr int base_of(const graph_view& g, int v) {
    while (is_view(g.nodes[v].code)) v = g.nodes[v].operands[0];
    return v;
}

/// True when every view of the chain is a reshape: the elements lie in the base's storage in the same order.
constexpr bool is_reshape_chain(const graph_view& g, int v) {
    for (; is_view(g.nodes[v].code); v = g.nodes[v].operands[0])
        if (g.nodes[v].code != op::reshape) return false;
    return true;
}

} // namespace toroid
