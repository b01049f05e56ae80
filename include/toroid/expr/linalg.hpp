#pragma once
// matmul, 2-D and batched.

#include <toroid/expr/broadcast.hpp>
#include <toroid/expr/view.hpp>

namespace toroid {

/// Checked class: the contracted extents of a matmul.
template <dim Lhs, dim Rhs> struct matmul_inner_extents {
    static constexpr bool value = Lhs == Rhs;
    static_assert(
        value,
        "toroid E013: matmul: inner extents differ: Lhs is the last axis of the left operand, Rhs the second to last "
        "of the right; transpose one side, or state their equality with with_extents<...>(x)");
};

/// Checked class: a matmul multiplies matrices.
template <int LhsRank, int RhsRank> struct matmul_ranks {
    static constexpr bool value = LhsRank >= 2 && RhsRank >= 2;
    static_assert(
        value,
        "toroid E021: matmul: operands need at least two axes (ranks LhsRank and RhsRank); unsqueeze a vector first");
};

/// Checked class: element types of a matmul.
template <dtype Type> struct matmul_dtype {
    static constexpr bool value = Type != dtype::bool_;
    static_assert(value, "toroid E023: matmul: bool operands are not multiplied; convert with to_dtype<...>(x)");
};

namespace detail {

template <class X> struct batch_shape {
    static constexpr shape make() {
        shape result;
        result.rank = X::rank - 2;
        for (int i = 0; i < result.rank; ++i) result.extents[i] = X::extents.extents[i];
        return result;
    }
    static constexpr shape value = make();
};

template <class Batch, dim Rows, dim Columns> struct matrix_shape {
    static constexpr shape make() {
        shape result = Batch::value;
        result.extents[result.rank++] = Rows;
        result.extents[result.rank++] = Columns;
        return result;
    }
    static constexpr shape value = make();
};

} // namespace detail

/// Matrix product of the last two axes; batch axes broadcast. a: [..., M, K], b: [..., K, N], result [..., M, N].
/// f16 and bf16 accumulate in f32 and round once; integers wrap. Dot products may use fused multiply-add.
template <expression A, expression B> constexpr auto matmul(A a, B b) {
    constexpr bool ranks = matmul_ranks<A::rank, B::rank>::value;
    if constexpr (ranks) {
        constexpr dtype type = promote(A::type, B::type);
        static_assert(matmul_dtype<type>::value);
        constexpr dim rows = A::extents.extents[A::rank - 2];
        constexpr dim inner = A::extents.extents[A::rank - 1];
        constexpr dim columns = B::extents.extents[B::rank - 1];
        static_assert(matmul_inner_extents<inner, B::extents.extents[B::rank - 2]>::value);
        using batch = detail::broadcast_of<op::matmul, detail::tensor_from_t<type, detail::batch_shape<A>>,
                                           detail::tensor_from_t<type, detail::batch_shape<B>>>;
        static_assert(sizeof(batch) != 0); // extents that differ are reported from here, few frames from the model
        trace& t = detail::common_trace(a, b);
        const auto left = detail::broadcast_to<detail::matrix_shape<batch, rows, inner>>(to_dtype<type>(a));
        const auto right = detail::broadcast_to<detail::matrix_shape<batch, inner, columns>>(to_dtype<type>(b));
        return detail::record<detail::tensor_from_t<type, detail::matrix_shape<batch, rows, columns>>>(
            t, op::matmul, left.id, right.id);
    } else {
        return a;
    }
}

} // namespace toroid
