#pragma once
// Reductions over any axes, and softmax, log_softmax, logsumexp.

#include <toroid/expr/pointwise.hpp>
#include <toroid/expr/view.hpp>

namespace toroid {

/// Tag: keep reduced axes with extent 1. `sum<-1>(x, keepdim)`.
struct keepdim_t {};
inline constexpr keepdim_t keepdim{};

/// Tag: divisor of a variance is N - `C` (1 as PyTorch's default, 0 for the population variance).
template <int C> struct correction_t {
    static constexpr int value = C;
};
template <int C> inline constexpr correction_t<C> correction{};

/// Checked class: every axis is in range and named once.
template <op Op, int Rank, int... Axes> struct reduced_axes {
    static constexpr bool in_range = ((Axes >= -Rank && Axes < Rank) && ...);
    static_assert(in_range, "toroid E019: reduction: an axis of Axes is outside [-Rank, Rank)");
    static constexpr std::int64_t mask() {
        std::int64_t bits = 0;
        int count = 0;
        for (const int axis : {Axes..., 0}) {
            if (count++ == sizeof...(Axes)) break;
            if (in_range) bits |= std::int64_t{1} << detail::normalize_axis(axis, Rank);
        }
        return sizeof...(Axes) == 0 ? (std::int64_t{1} << Rank) - 1 : bits;
    }
    static constexpr int distinct() {
        int count = 0;
        for (int axis = 0; axis < Rank; ++axis) count += has_axis(mask(), axis) ? 1 : 0;
        return count;
    }
    static_assert(sizeof...(Axes) == 0 || !in_range || distinct() == static_cast<int>(sizeof...(Axes)),
                  "toroid E020: reduction: an axis of Axes is named twice");
};

/// Checked class: maximum, minimum and arg reductions have no value over an extent of 0.
template <op Op, dim Extent> struct reduced_extent {
    static constexpr bool value = !(Extent == dim(0));
    static_assert(value, "toroid E022: reduction: operation Op has no value over an axis of extent 0 (Extent)");
};

namespace detail {

template <class X, std::int64_t Mask> struct reduced_shape {
    static constexpr shape make() {
        shape result = X::extents;
        for (int i = 0; i < result.rank; ++i)
            if (has_axis(Mask, i)) result.extents[i] = dim(1);
        return result;
    }
    static constexpr shape value = make();
};
template <class X, std::int64_t Mask> struct dropped_shape {
    static constexpr shape make() {
        shape result;
        for (int i = 0; i < X::rank; ++i)
            if (!has_axis(Mask, i)) result.extents[result.rank++] = X::extents.extents[i];
        return result;
    }
    static constexpr shape value = make();
};

template <op Op, class X, std::int64_t Mask, int... Axis>
constexpr bool check_reduced_extents(std::integer_sequence<int, Axis...>) {
    [[maybe_unused]] constexpr auto extent = [](int axis) {
        return has_axis(Mask, axis) ? X::extents.extents[axis] : dim(1);
    };
    return (reduced_extent<Op, extent(Axis)>::value && ...);
}

template <op Op, dtype Result, bool Keep, int... Axes, expression X>
constexpr auto reduce(X x, std::int64_t extra = 0) {
    constexpr std::int64_t mask = reduced_axes<Op, X::rank, Axes...>::mask();
    if constexpr (Op == op::reduce_max || Op == op::reduce_min || is_arg_reduction(Op))
        static_assert(check_reduced_extents<Op, X, mask>(std::make_integer_sequence<int, X::rank>{}));
    const auto kept =
        record<tensor_from_t<Result, reduced_shape<X, mask>>>(x.trace(), Op, x.id, -1, -1, mask | extra << 8);
    if constexpr (Keep || mask == 0) return kept;
    else return reshape_to<dropped_shape<X, mask>>(kept);
}

constexpr dtype sum_type(dtype t) { return is_floating(t) ? t : dtype::i64; }
constexpr dtype mean_type(dtype t) { return is_floating(t) ? t : dtype::f32; }

} // namespace detail

/// Sum over the axes (all without arguments). Integers and bool are summed in i64; f16 and bf16 in f32, rounded once.
/// Floating sums are taken over a fixed tree of lanes: the same bits on every run and thread count.
template <int... Axes, expression X> constexpr auto sum(X x) {
    constexpr dtype type = detail::sum_type(X::type);
    return detail::reduce<op::reduce_sum, type, false, Axes...>(to_dtype<type>(x));
}
template <int... Axes, expression X> constexpr auto sum(X x, keepdim_t) {
    constexpr dtype type = detail::sum_type(X::type);
    return detail::reduce<op::reduce_sum, type, true, Axes...>(to_dtype<type>(x));
}

/// Product over the axes; dtypes as for sum. The product over nothing is 1.
template <int... Axes, expression X> constexpr auto prod(X x) {
    constexpr dtype type = detail::sum_type(X::type);
    return detail::reduce<op::reduce_prod, type, false, Axes...>(to_dtype<type>(x));
}
template <int... Axes, expression X> constexpr auto prod(X x, keepdim_t) {
    constexpr dtype type = detail::sum_type(X::type);
    return detail::reduce<op::reduce_prod, type, true, Axes...>(to_dtype<type>(x));
}

/// Largest element over the axes; NaN wins.
template <int... Axes, expression X> constexpr auto max(X x) {
    return detail::reduce<op::reduce_max, X::type, false, Axes...>(x);
}
template <int... Axes, expression X> constexpr auto max(X x, keepdim_t) {
    return detail::reduce<op::reduce_max, X::type, true, Axes...>(x);
}

/// Smallest element over the axes; NaN wins.
template <int... Axes, expression X> constexpr auto min(X x) {
    return detail::reduce<op::reduce_min, X::type, false, Axes...>(x);
}
template <int... Axes, expression X> constexpr auto min(X x, keepdim_t) {
    return detail::reduce<op::reduce_min, X::type, true, Axes...>(x);
}

/// True when any element is non-zero (NaN is non-zero); false over nothing.
template <int... Axes, expression X> constexpr auto any(X x) {
    return detail::reduce<op::reduce_any, boolean, false, Axes...>(to_dtype<boolean>(x));
}
template <int... Axes, expression X> constexpr auto any(X x, keepdim_t) {
    return detail::reduce<op::reduce_any, boolean, true, Axes...>(to_dtype<boolean>(x));
}

/// True when all elements are non-zero; true over nothing.
template <int... Axes, expression X> constexpr auto all(X x) {
    return detail::reduce<op::reduce_all, boolean, false, Axes...>(to_dtype<boolean>(x));
}
template <int... Axes, expression X> constexpr auto all(X x, keepdim_t) {
    return detail::reduce<op::reduce_all, boolean, true, Axes...>(to_dtype<boolean>(x));
}

/// Index of the largest element in row-major order of the reduced axes, i64. The first NaN wins; ties give the lowest.
template <int... Axes, expression X> constexpr auto argmax(X x) {
    return detail::reduce<op::reduce_argmax, i64, false, Axes...>(x);
}
template <int... Axes, expression X> constexpr auto argmax(X x, keepdim_t) {
    return detail::reduce<op::reduce_argmax, i64, true, Axes...>(x);
}

/// Index of the smallest element; rules as for argmax.
template <int... Axes, expression X> constexpr auto argmin(X x) {
    return detail::reduce<op::reduce_argmin, i64, false, Axes...>(x);
}
template <int... Axes, expression X> constexpr auto argmin(X x, keepdim_t) {
    return detail::reduce<op::reduce_argmin, i64, true, Axes...>(x);
}

/// Arithmetic mean; integers are taken in f32. The mean over nothing is NaN.
template <int... Axes, expression X> constexpr auto mean(X x) {
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::mean, type, false, Axes...>(to_dtype<type>(x));
}
template <int... Axes, expression X> constexpr auto mean(X x, keepdim_t) {
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::mean, type, true, Axes...>(to_dtype<type>(x));
}

/// Variance in two passes, sum((x - mean)^2) / (N - correction): no cancellation for a large mean.
/// NaN when N <= correction. Source: torch.var.
template <int... Axes, expression X, int C = 1> constexpr auto var(X x, correction_t<C> = {}) {
    static_assert(C == 0 || C == 1, "toroid E024: var: the correction is 0 or 1");
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::var, type, false, Axes...>(to_dtype<type>(x), C);
}
template <int... Axes, expression X, int C = 1> constexpr auto var(X x, keepdim_t, correction_t<C> = {}) {
    static_assert(C == 0 || C == 1, "toroid E024: var: the correction is 0 or 1");
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::var, type, true, Axes...>(to_dtype<type>(x), C);
}

/// log(sum(exp(x))), shifted by the maximum; all -inf gives -inf.
template <int... Axes, expression X> constexpr auto logsumexp(X x) {
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::logsumexp, type, false, Axes...>(to_dtype<type>(x));
}
template <int... Axes, expression X> constexpr auto logsumexp(X x, keepdim_t) {
    constexpr dtype type = detail::mean_type(X::type);
    return detail::reduce<op::logsumexp, type, true, Axes...>(to_dtype<type>(x));
}

namespace detail {
template <op Op, int Axis, expression X> constexpr auto normalized_exponential(X x) {
    constexpr int axis = axis_in_range<Axis, X::rank>::axis;
    constexpr dtype type = mean_type(X::type);
    using result = tensor_from_t<type, broadcast_of<op::identity, X>>;
    return record<result>(x.trace(), Op, to_dtype<type>(x).id, -1, -1, std::int64_t{1} << axis);
}
} // namespace detail

/// exp(x - max) / sum(exp(x - max)) along `Axis`. A row with NaN or +inf is NaN, and so is a row of only -inf.
template <int Axis = -1, expression X> constexpr auto softmax(X x) {
    return detail::normalized_exponential<op::softmax, Axis>(x);
}
/// x - max - log(sum(exp(x - max))) along `Axis`.
template <int Axis = -1, expression X> constexpr auto log_softmax(X x) {
    return detail::normalized_exponential<op::log_softmax, Axis>(x);
}

} // namespace toroid
