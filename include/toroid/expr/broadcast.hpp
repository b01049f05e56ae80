#pragma once
// Broadcasting: NumPy's rule on extents known at compile time, and its errors.

#include <toroid/expr/tensor.hpp>
#include <toroid/ops/list.hpp>

namespace toroid {

/// Checked class: the extents of two operands at one axis of the result (counted from the last, which is -1).
template <op Op, int Axis, dim Lhs, dim Rhs> struct broadcast_extents {
    static constexpr bool value = Lhs == Rhs || Lhs == dim(1) || Rhs == dim(1);
    static_assert(
        value,
        "toroid E012: broadcast: operation Op at axis Axis has extents Lhs and Rhs that differ and neither is 1; "
        "reshape or unsqueeze one side, or state their equality with with_extents<...>(x)");
};

namespace detail {

constexpr shape broadcast_shapes(const shape& a, const shape& b) {
    shape result;
    result.rank = a.rank > b.rank ? a.rank : b.rank;
    for (int i = 1; i <= result.rank; ++i) {
        const dim left = i <= a.rank ? a.extents[a.rank - i] : dim(1);
        const dim right = i <= b.rank ? b.extents[b.rank - i] : dim(1);
        result.extents[result.rank - i] = left == dim(1) ? right : left;
    }
    return result;
}

constexpr dim extent_from_end(const shape& s, int axis) { return axis <= s.rank ? s.extents[s.rank - axis] : dim(1); }

template <op Op, class A, class B, int... I> constexpr bool check_broadcast(std::integer_sequence<int, I...>) {
    return (
        broadcast_extents<Op, -1 - I, extent_from_end(A::extents, I + 1), extent_from_end(B::extents, I + 1)>::value &&
        ...);
}

template <op Op, class First, class... Rest> struct broadcast_of;
template <op Op, class First> struct broadcast_of<Op, First> {
    static constexpr shape value = First::extents;
};
template <op Op, class A, class B> struct broadcast_of<Op, A, B> {
    static_assert(
        check_broadcast<Op, A, B>(std::make_integer_sequence<int, (A::rank < B::rank ? A::rank : B::rank)>{}));
    static constexpr shape value = broadcast_shapes(A::extents, B::extents);
};
template <op Op, class A, class B, class C> struct broadcast_of<Op, A, B, C> {
    static_assert(sizeof(broadcast_of<Op, A, B>) != 0);
    using first_two = tensor_from_t<A::type, broadcast_of<Op, A, B>>;
    static_assert(sizeof(broadcast_of<Op, first_two, C>) != 0);
    static constexpr shape value = broadcast_of<Op, first_two, C>::value;
};

/// Broadcasts `x` to `Target` (a class with a constant `shape value`); the same shape gives the same node.
template <class Target, expression X> constexpr auto broadcast_to(X x) {
    if constexpr (X::extents == Target::value) return x;
    else return record<tensor_from_t<X::type, Target>>(x.trace(), op::expand, x.id);
}

} // namespace detail
} // namespace toroid
