#pragma once
// Views: reshape, permute, transpose, squeeze, unsqueeze, expand, slice, flip, and concat, stack, split.
// A view is an index map of its consumer; it costs nothing by itself.

#include <array>
#include <limits>
#include <tuple>

#include <toroid/expr/broadcast.hpp>

namespace toroid {

namespace detail {

template <class Target, expression X> constexpr auto reshape_to(X x) {
    if constexpr (X::extents == Target::value) return x;
    else return record<tensor_from_t<X::type, Target>>(x.trace(), op::reshape, x.id);
}

template <dim... Extents> struct listed_shape {
    static constexpr shape value = {static_cast<int>(sizeof...(Extents)), {Extents...}};
};

/// The listed extents with one -1 replaced by what is left of `Numel`.
template <dim Numel, dim... Extents> struct inferred_shape {
    static constexpr shape make() {
        shape result = {static_cast<int>(sizeof...(Extents)), {Extents...}};
        dim known = 1;
        int hole = -1;
        for (int i = 0; i < result.rank; ++i) {
            if (result.extents[i] == dim(-1)) hole = i;
            else known = known * result.extents[i];
        }
        if (hole >= 0) {
            const dim_quotient rest = divide_exactly(Numel, known);
            result.extents[hole] = rest.exact ? rest.value : dim(-1);
        }
        return result;
    }
    static constexpr shape value = make();
};

} // namespace detail

/// Checked class: a reshape keeps the number of elements.
template <dim From, dim To> struct reshape_elements {
    static constexpr bool value = From == To;
    static_assert(
        value,
        "toroid E014: reshape: the operand has From elements, the requested extents have To; they must be equal, and "
        "an extent of -1 must divide exactly (write 8*N for a multiple of eight)");
};

/// The same elements in row-major order under new extents; one of them may be -1. `reshape<B, -1>(x)`.
template <dim... Extents, expression X> constexpr auto reshape(X x) {
    using target = detail::inferred_shape<X::extents.numel(), Extents...>;
    static_assert(reshape_elements<X::extents.numel(), target::value.numel()>::value);
    return detail::reshape_to<target>(x);
}

/// One axis with all elements.
template <expression X> constexpr auto flatten(X x) { return reshape<X::extents.numel()>(x); }

/// States that the extents of `x` are `Extents...`; each that is not known to be equal becomes a check.
template <dim... Extents, expression X> constexpr auto with_extents(X x) {
    static_assert(sizeof...(Extents) == X::rank, "toroid E021: with_extents: one extent per axis");
    constexpr shape target = detail::listed_shape<Extents...>::value;
    for (int i = 0; i < X::rank; ++i) x.trace().check_equals(X::extents.extents[i], target.extents[i]);
    return detail::reshape_to<detail::listed_shape<Extents...>>(x);
}

/// Checked class: `Axes...` is a permutation of all axes.
template <int Rank, int... Axes> struct permutation {
    static constexpr bool make() {
        if (sizeof...(Axes) != Rank) return false;
        bool seen[max_rank + 1] = {};
        const int list[] = {Axes..., 0};
        for (int i = 0; i < Rank; ++i) {
            const int axis = detail::normalize_axis(list[i], Rank);
            if (axis < 0 || axis >= Rank || seen[axis]) return false;
            seen[axis] = true;
        }
        return true;
    }
    static constexpr bool value = make();
    static_assert(value, "toroid E020: permute: Axes must name each of the Rank axes exactly once");
};

namespace detail {
template <class X, int... Axes> struct permuted_shape {
    static constexpr shape value = {X::rank, {X::extents.extents[normalize_axis(Axes, X::rank)]...}};
};
} // namespace detail

/// Axis i of the result is axis Axes[i] of `x`.
template <int... Axes, expression X> constexpr auto permute(X x) {
    static_assert(permutation<X::rank, Axes...>::value);
    std::int64_t payload = 0;
    int i = 0;
    ((payload |= static_cast<std::int64_t>(detail::normalize_axis(Axes, X::rank)) << (4 * i++)), ...);
    return detail::record<detail::tensor_from_t<X::type, detail::permuted_shape<X, Axes...>>>(x.trace(), op::permute,
                                                                                              x.id, -1, -1, payload);
}

namespace detail {
template <int A, int B, expression X, int... I> constexpr auto swap_axes(X x, std::integer_sequence<int, I...>) {
    return permute<(I == A ? B : I == B ? A : I)...>(x);
}
} // namespace detail

/// Swaps two axes, the last two by default.
template <int A = -2, int B = -1, expression X> constexpr auto transpose(X x) {
    static_assert(X::rank >= 2, "toroid E021: transpose: the operand needs two axes; use unsqueeze on a vector first");
    return detail::swap_axes<detail::axis_in_range<A, X::rank>::axis, detail::axis_in_range<B, X::rank>::axis>(
        x, std::make_integer_sequence<int, X::rank>{});
}

/// Checked class: only an axis of extent 1 can be squeezed.
template <int Axis, dim Extent> struct squeezed_extent {
    static constexpr bool value = Extent == dim(1);
    static_assert(value, "toroid E017: squeeze: axis Axis has extent Extent, which is not 1");
};

namespace detail {
template <class X, int Axis> struct without_axis {
    static constexpr shape make() {
        shape result;
        for (int i = 0; i < X::rank; ++i)
            if (i != Axis) result.extents[result.rank++] = X::extents.extents[i];
        return result;
    }
    static constexpr shape value = make();
};
template <class X, int Axis, dim Extent = dim(1)> struct with_axis {
    static constexpr shape make() {
        shape result;
        for (int i = 0; i <= X::rank; ++i) {
            if (i == Axis) result.extents[result.rank++] = Extent;
            if (i < X::rank) result.extents[result.rank++] = X::extents.extents[i];
        }
        return result;
    }
    static_assert(X::rank < max_rank, "toroid E021: unsqueeze: rank is at most 8");
    static constexpr shape value = make();
};
} // namespace detail

/// Removes an axis of extent 1.
template <int Axis, expression X> constexpr auto squeeze(X x) {
    constexpr int axis = detail::axis_in_range<Axis, X::rank>::axis;
    static_assert(squeezed_extent<axis, X::extents.extents[axis]>::value);
    return detail::reshape_to<detail::without_axis<X, axis>>(x);
}

/// Inserts an axis of extent 1 before axis `Axis` of the operand; -1 appends.
template <int Axis, expression X> constexpr auto unsqueeze(X x) {
    return detail::reshape_to<detail::with_axis<X, detail::axis_in_range<Axis, X::rank + 1>::axis>>(x);
}

/// Broadcasts to `Extents...`.
template <dim... Extents, expression X> constexpr auto expand(X x) {
    using wanted = tensor<X::type, Extents...>;
    using joined = detail::broadcast_of<op::expand, wanted, X>;
    static_assert(joined::value == wanted::extents,
                  "toroid E018: expand: the operand does not broadcast to the requested extents");
    return detail::broadcast_to<joined>(x);
}

//=== slice ===//

/// "To the end" in a slice, for either direction.
inline constexpr dim to_end = dim(std::numeric_limits<std::int64_t>::max());

namespace detail {

/// Where a slice begins and how long it is; `lower[i] <= upper[i]` must hold for it to be so.
struct slice_bounds {
    dim start;
    dim length;
    int check_count = 0;
    dim lower[3];
    dim upper[3];

    constexpr void require(dim a, dim b) {
        if (statically_known_leq(a, b)) return;
        if (a.is_constant() && b.is_affine()) { // 0 <= N - 3 is spelled 3 <= N
            a = a - dim(b.k);
            b = b - dim(b.k);
        }
        lower[check_count] = a;
        upper[check_count++] = b;
    }
};

/// NumPy's slice rules. Constant bounds on a constant extent are clamped; everything else is checked instead.
constexpr slice_bounds resolve_slice(dim extent, dim start, dim stop, std::int64_t step) {
    slice_bounds result;
    const std::int64_t stride = step > 0 ? step : -step;
    if (extent.is_constant() && start.is_constant() && stop.is_constant()) {
        const std::int64_t n = extent.k;
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? n : n - 1;
        const auto clamp = [&](std::int64_t v) {
            v = v < 0 ? v + n : v;
            return v < low ? low : v > high ? high : v;
        };
        const std::int64_t first = start == to_end ? (step > 0 ? 0 : high) : clamp(start.k);
        const std::int64_t last = stop == to_end ? (step > 0 ? high : low) : clamp(stop.k);
        const std::int64_t span = step > 0 ? last - first : first - last;
        result.start = dim(first);
        result.length = dim(span > 0 ? (span + stride - 1) / stride : 0);
        return result;
    }
    const auto from_end = [&](dim v) { return v.is_constant() && v.k < 0 ? extent + v : v; };
    const dim first = start == to_end ? (step > 0 ? dim(0) : extent - dim(1)) : from_end(start);
    const dim last = stop == to_end ? (step > 0 ? extent : dim(-1)) : from_end(stop);
    const dim low = step > 0 ? first : last;
    const dim high = step > 0 ? last : first;
    const dim shift = step > 0 ? dim(0) : dim(1); // going back, bounds name the places before and at the elements
    result.require(dim(0), low + shift);
    result.require(high + shift, extent);
    const dim span = high - low;
    result.start = first;
    if (span.is_constant() && span.k <= 0) {
        result.length = dim(0);
    } else {
        result.require(low, high);
        result.length = ceil_div(span, stride);
    }
    return result;
}

template <class X, int Axis, dim Start, dim Stop, std::int64_t Step> struct sliced {
    static constexpr slice_bounds bounds = resolve_slice(X::extents.extents[Axis], Start, Stop, Step);
    static constexpr shape make() {
        shape result = X::extents;
        result.extents[Axis] = bounds.length;
        return result;
    }
    static constexpr shape value = make();
};

} // namespace detail

/// Elements Start, Start + Step, … before Stop along `Axis`; negative bounds count from the end, negative steps go back.
/// On a constant extent bounds are clamped as in NumPy; on a symbolic extent they become checks.
template <int Axis, dim Start, dim Stop = to_end, std::int64_t Step = 1, expression X> constexpr auto slice(X x) {
    static_assert(Step != 0, "toroid E024: slice: the step is not 0");
    constexpr int axis = detail::axis_in_range<Axis, X::rank>::axis;
    using target = detail::sliced<X, axis, Start, Stop, Step>;
    constexpr detail::slice_bounds bounds = target::bounds;
    trace& t = x.trace();
    for (int i = 0; i < bounds.check_count; ++i) t.check_leq(bounds.lower[i], bounds.upper[i]);
    if constexpr (target::value == X::extents && Step == 1) {
        return x;
    } else {
        const auto result = detail::record<detail::tensor_from_t<X::type, target>>(t, op::slice, x.id, -1, -1,
                                                                                   slice_payload(axis, Step));
        const int start = t.intern(bounds.start);
        t.recorded().nodes[result.id].start = start;
        return result;
    }
}

/// Reverses an axis.
template <int Axis, expression X> constexpr auto flip(X x) { return slice<Axis, to_end, to_end, -1>(x); }

//=== concat, stack, split ===//

/// Checked class: concatenated tensors agree in every other axis.
template <int Axis, dim Lhs, dim Rhs> struct concat_extents {
    static constexpr bool value = Lhs == Rhs;
    static_assert(
        value, "toroid E015: concat: the operands differ at axis Axis, which is not the concatenated one: Lhs and Rhs");
};

namespace detail {
/// True for shapes of one rank that differ in another axis than `axis`.
constexpr bool differ_elsewhere(const shape& a, const shape& b, int axis) {
    for (int i = 0; i < a.rank; ++i)
        if (i != axis && a.extents[i] != b.extents[i]) return a.rank == b.rank;
    return false;
}
template <class A, class B, int Axis, int... I> constexpr bool check_concat(std::integer_sequence<int, I...>) {
    [[maybe_unused]] constexpr auto extent = [](const shape& s, int axis) {
        return axis == Axis ? dim(0) : s.extents[axis];
    };
    return (concat_extents<I, extent(A::extents, I), extent(B::extents, I)>::value && ...);
}
template <class A, class B, int Axis> struct concat_shape {
    static constexpr shape make() {
        shape result = A::extents;
        result.extents[Axis] = A::extents.extents[Axis] + B::extents.extents[Axis];
        return result;
    }
    static constexpr shape value = make();
};
} // namespace detail

/// Joins tensors along `Axis`; dtypes are promoted.
template <int Axis, expression X> constexpr auto concat(X x) { return x; }
template <int Axis, expression A, expression B, expression... Rest> constexpr auto concat(A a, B b, Rest... rest) {
    static_assert(A::rank == B::rank && ((A::rank == Rest::rank) && ...),
                  "toroid E021: concat: the operands have different ranks");
    constexpr int axis = detail::axis_in_range<Axis, A::rank>::axis;
    static_assert(detail::check_concat<A, B, axis>(std::make_integer_sequence<int, A::rank>{}));
    // A later operand that does not fit is reported from here, not from the depth of the recursion.
    if constexpr ((detail::differ_elsewhere(A::extents, Rest::extents, axis) || ...))
        static_assert((detail::check_concat<A, Rest, axis>(std::make_integer_sequence<int, A::rank>{}) && ...));
    constexpr dtype type = promote(A::type, B::type);
    using target = detail::concat_shape<A, B, axis>;
    trace& t = detail::common_trace(a, b);
    const auto joined = detail::record<detail::tensor_from_t<type, target>>(t, op::concat, to_dtype<type>(a).id,
                                                                            to_dtype<type>(b).id, -1, axis);
    return concat<Axis>(joined, rest...);
}

/// Joins tensors of one shape along a new axis.
template <int Axis, expression First, expression... Rest> constexpr auto stack(First first, Rest... rest) {
    constexpr int axis = detail::axis_in_range<Axis, First::rank + 1>::axis;
    return concat<axis>(unsqueeze<axis>(first), unsqueeze<axis>(rest)...);
}

namespace detail {
template <int Axis, expression X, dim... Sizes, std::size_t... I>
constexpr auto split_at(X x, std::index_sequence<I...>) {
    constexpr shape sizes = {static_cast<int>(sizeof...(Sizes)), {Sizes...}};
    constexpr auto offset = [](std::size_t part) {
        constexpr shape list = {static_cast<int>(sizeof...(Sizes)), {Sizes...}};
        dim sum = 0;
        for (std::size_t i = 0; i < part; ++i) sum = sum + list.extents[i];
        return sum;
    };
    return std::make_tuple(slice<Axis, offset(I), offset(I) + sizes.extents[I]>(x)...);
}
template <int Axis, dim Size, expression X, std::size_t... I> constexpr auto chunk_at(X x, std::index_sequence<I...>) {
    return std::array{slice<Axis, Size * dim(I), Size * dim(I + 1)>(x)...};
}
} // namespace detail

/// Checked class: the parts of a split add up to the extent of the axis.
template <int Axis, dim Extent, dim Total> struct split_extents {
    static constexpr bool value = Extent == Total;
    static_assert(value, "toroid E016: split: the sizes add up to Total, but axis Axis has extent Extent");
};

/// Checked class: the equal parts of a chunk.
template <int Axis, dim Extent, int Count> struct chunk_extents {
    static constexpr bool value = Count > 0 && divide_exactly(Extent, dim(Count)).exact;
    static_assert(value, "toroid E016: chunk: axis Axis has extent Extent, which Count does not divide; use split, or "
                         "write a symbolic extent as a multiple, such as 8*N");
};

/// Consecutive parts of the given sizes along `Axis`, as a tuple; the sizes add up to the extent.
template <int Axis, dim... Sizes, expression X> constexpr auto split(X x) {
    static_assert(sizeof...(Sizes) <= max_rank,
                  "toroid E021: split: at most eight parts; use chunk<Axis, Count> for equal ones");
    constexpr int axis = detail::axis_in_range<Axis, X::rank>::axis;
    static_assert(split_extents<axis, X::extents.extents[axis], (dim(0) + ... + Sizes)>::value);
    return detail::split_at<axis, X, Sizes...>(x, std::make_index_sequence<sizeof...(Sizes)>{});
}

/// `Count` equal parts along `Axis`, as a std::array.
template <int Axis, int Count, expression X> constexpr auto chunk(X x) {
    constexpr int axis = detail::axis_in_range<Axis, X::rank>::axis;
    static_assert(chunk_extents<axis, X::extents.extents[axis], Count>::value);
    return detail::chunk_at<axis, divide_exactly(X::extents.extents[axis], dim(Count)).value>(
        x, std::make_index_sequence<Count>{});
}

} // namespace toroid
