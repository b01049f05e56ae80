#pragma once
// floor, ceil, trunc, round. Integers are unchanged; -0, ±inf and NaN are kept.

#include <concepts>

#include <toroid/ops/math/rounding.hpp>
#include <toroid/ops/op.hpp>

namespace toroid {

/// Largest integer not above x.
template <> struct definition<op::floor> {
    static constexpr char name[] = "floor";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return x;
        else return math::floor(x);
    }
};

/// Smallest integer not below x.
template <> struct definition<op::ceil> {
    static constexpr char name[] = "ceil";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return x;
        else return math::ceil(x);
    }
};

/// Integer part of x.
template <> struct definition<op::trunc> {
    static constexpr char name[] = "trunc";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return x;
        else return math::trunc(x);
    }
};

/// Nearest integer, ties to even; round(-0.4) is -0.
template <> struct definition<op::round> {
    static constexpr char name[] = "round";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return x;
        else return math::round(x);
    }
};

} // namespace toroid
