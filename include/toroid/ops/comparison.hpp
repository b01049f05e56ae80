#pragma once
// Comparisons, tests and logic: results are bool. A comparison with NaN is false, except `ne`.

#include <concepts>

#include <toroid/ops/math/classification.hpp>
#include <toroid/ops/op.hpp>

namespace toroid {

/// a == b.
template <> struct definition<op::eq> {
    static constexpr char name[] = "eq";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) {
        return a == b;
    }
};

/// a != b; true when either is NaN.
template <> struct definition<op::ne> {
    static constexpr char name[] = "ne";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) {
        return a != b;
    }
};

/// a < b.
template <> struct definition<op::lt> {
    static constexpr char name[] = "lt";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) { return a < b; }
};

/// a <= b.
template <> struct definition<op::le> {
    static constexpr char name[] = "le";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) {
        return a <= b;
    }
};

/// a > b.
template <> struct definition<op::gt> {
    static constexpr char name[] = "gt";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) { return a > b; }
};

/// a >= b.
template <> struct definition<op::ge> {
    static constexpr char name[] = "ge";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) {
        return a >= b;
    }
};

/// Both are non-zero (operands are converted to bool first; NaN is true).
template <> struct definition<op::logical_and> {
    static constexpr char name[] = "logical_and";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::logical;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) { return a & b; }
};

/// Either is non-zero.
template <> struct definition<op::logical_or> {
    static constexpr char name[] = "logical_or";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::logical;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) { return a | b; }
};

/// Exactly one is non-zero.
template <> struct definition<op::logical_xor> {
    static constexpr char name[] = "logical_xor";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::logical;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T a, T b) {
        return a != b;
    }
};

/// x is zero.
template <> struct definition<op::logical_not> {
    static constexpr char name[] = "logical_not";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::logical;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T x) { return !x; }
};

/// x is NaN; false for integers and bool.
template <> struct definition<op::isnan> {
    static constexpr char name[] = "isnan";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T x) {
        if constexpr (std::integral<T>) return false;
        else return math::isnan(x);
    }
};

/// x is +inf or -inf; false for integers and bool.
template <> struct definition<op::isinf> {
    static constexpr char name[] = "isinf";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::comparison;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr bool apply(T x) {
        if constexpr (std::integral<T>) return false;
        else return math::isinf(x);
    }
};

/// a where the condition holds, else b. Both sides are computed; only the chosen one counts.
template <> struct definition<op::where> {
    static constexpr char name[] = "where";
    static constexpr int arity = 3;
    static constexpr type_rule rule = type_rule::select;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(bool condition, T a, T b) {
        return condition ? a : b;
    }
};

} // namespace toroid
