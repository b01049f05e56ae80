#pragma once
// Views, concat and matmul of the interpreter, each as a walk over the elements of its result.

#include <toroid/graph/graph.hpp>
#include <toroid/reference/pointwise.hpp>

namespace toroid {

namespace detail {

/// Indices of one element; counts through all elements in row-major order.
struct reference_index {
    std::int64_t values[max_rank] = {};

    constexpr void advance(const growable<std::int64_t>& extents) {
        for (int a = extents.size() - 1; a >= 0; --a) {
            if (++values[a] < extents[a]) return;
            values[a] = 0;
        }
    }
};

/// Place in row-major order.
constexpr int place_of(const reference_index& index, const growable<std::int64_t>& extents) {
    std::int64_t place = 0;
    for (int a = 0; a < extents.size(); ++a) place = place * extents[a] + index.values[a];
    return static_cast<int>(place);
}

constexpr void copy_element(reference_tensor& to, int i, const reference_tensor& from, int j) {
    if (is_floating(to.type)) to.real[i] = from.real[j];
    else to.integer[i] = from.integer[j];
}

/// Element of `x` that a view shows at `index` of its result.
constexpr reference_index viewed(const node& n, const reference_index& index, int rank, const reference_tensor& x,
                                 std::int64_t start) {
    reference_index source;
    for (int a = 0; a < x.rank(); ++a) {
        if (n.code == op::expand) {
            source.values[a] = x.extents[a] == 1 ? 0 : index.values[rank - x.rank() + a];
        } else if (n.code == op::slice) {
            source.values[a] = index.values[a];
            if (a == slice_axis(n.payload)) source.values[a] = start + index.values[a] * slice_step(n.payload);
        }
    }
    if (n.code == op::permute)
        for (int a = 0; a < rank; ++a) source.values[permutation_axis(n.payload, a)] = index.values[a];
    return source;
}

constexpr void interpret_view(const node& n, reference_tensor& result, const reference_tensor& x, std::int64_t start) {
    reference_index index;
    for (int i = 0; i < result.size(); ++i) {
        const int source = n.code == op::reshape ? i : place_of(viewed(n, index, result.rank(), x, start), x.extents);
        copy_element(result, i, x, source);
        index.advance(result.extents);
    }
}

constexpr void interpret_concat(int axis, reference_tensor& result, const reference_tensor& a,
                                const reference_tensor& b) {
    reference_index index;
    for (int i = 0; i < result.size(); ++i) {
        reference_index source = index;
        const bool second = index.values[axis] >= a.extents[axis];
        if (second) source.values[axis] -= a.extents[axis];
        const reference_tensor& from = second ? b : a;
        copy_element(result, i, from, place_of(source, from.extents));
        index.advance(result.extents);
    }
}

/// a: [..., M, K], b: [..., K, N]; sums of products in double, or wrapping.
constexpr void interpret_matmul(reference_tensor& result, const reference_tensor& a, const reference_tensor& b) {
    const int rank = result.rank();
    const auto inner = static_cast<int>(a.extents[rank - 1]);
    const auto columns = static_cast<int>(b.extents[rank - 1]);
    reference_index index;
    for (int i = 0; i < result.size(); ++i) {
        reference_index row = index;
        reference_index column = index;
        row.values[rank - 1] = 0;
        column.values[rank - 2] = 0;
        const int left = place_of(row, a.extents);
        const int right = place_of(column, b.extents);
        double real = 0;
        std::int64_t integer = 0;
        for (int k = 0; k < inner; ++k) {
            if (is_floating(result.type)) real += a.real[left + k] * b.real[right + k * columns];
            else integer = wrap_add(integer, wrap_mul(a.integer[left + k], b.integer[right + k * columns]));
        }
        if (is_floating(result.type)) store(result, i, real);
        else store(result, i, integer);
        index.advance(result.extents);
    }
}

} // namespace detail
} // namespace toroid
