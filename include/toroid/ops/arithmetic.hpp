#pragma once
// Arithmetic: identity, neg, abs, reciprocal, square, sign, relu, add, sub, mul, div, minimum, maximum, fmod, remainder,
// fma. Integers wrap; NaN propagates.

#include <concepts>

#include <toroid/ops/math/classification.hpp>
#include <toroid/ops/math/divide.hpp>
#include <toroid/ops/math/extrema.hpp>
#include <toroid/ops/math/multiply_add.hpp>
#include <toroid/ops/math/remainder.hpp>
#include <toroid/ops/op.hpp>
#include <toroid/ops/wrap.hpp>

namespace toroid {

/// The value itself; keeps a copy of an input or a view as a node of its own.
template <> struct definition<op::identity> {
    static constexpr char name[] = "identity";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return x; }
};

/// -x. Integers wrap: -INT_MIN is INT_MIN.
template <> struct definition<op::neg> {
    static constexpr char name[] = "neg";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return detail::wrap_sub(T(0), x);
        else return -x;
    }
};

/// |x|. Integers wrap: |INT_MIN| is INT_MIN.
template <> struct definition<op::abs> {
    static constexpr char name[] = "abs";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::unsigned_integral<T>) return x;
        else if constexpr (std::integral<T>) return x < T(0) ? detail::wrap_sub(T(0), x) : x;
        else return math::abs(x);
    }
};

/// 1 / x, correctly rounded; 1 / ±0 is ±inf.
template <> struct definition<op::reciprocal> {
    static constexpr char name[] = "reciprocal";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::divide(T(1), x);
    }
};

/// x * x.
template <> struct definition<op::square> {
    static constexpr char name[] = "square";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return detail::wrap_mul(x, x);
        else return x * x;
    }
};

/// -1, 0 or 1; ±0 stays ±0 and NaN stays NaN (StableHLO; torch.sign gives 0 for NaN).
template <> struct definition<op::sign> {
    static constexpr char name[] = "sign";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return static_cast<T>((x > T(0)) - detail::is_negative(x));
        else return math::sign(x);
    }
};

/// max(x, 0). NaN propagates; relu(-0) is +0.
template <> struct definition<op::relu> {
    static constexpr char name[] = "relu";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        if constexpr (std::integral<T>) return detail::is_negative(x) ? T(0) : x;
        else return math::maximum(x, T(0));
    }
};

/// a + b. Integers wrap; bool is logical or.
template <> struct definition<op::add> {
    static constexpr char name[] = "add";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::same_as<T, bool>) return a | b;
        else if constexpr (std::integral<T>) return detail::wrap_add(a, b);
        else return a + b;
    }
};

/// a - b. Integers wrap.
template <> struct definition<op::sub> {
    static constexpr char name[] = "sub";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::integral<T>) return detail::wrap_sub(a, b);
        else return a - b;
    }
};

/// a * b. Integers wrap; bool is logical and.
template <> struct definition<op::mul> {
    static constexpr char name[] = "mul";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::same_as<T, bool>) return a & b;
        else if constexpr (std::integral<T>) return detail::wrap_mul(a, b);
        else return a * b;
    }
};

/// True division a / b, correctly rounded; integers are divided in f32. x / ±0 is ±inf by sign, 0 / 0 is NaN.
template <> struct definition<op::div> {
    static constexpr char name[] = "div";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        return math::divide(a, b);
    }
};

/// IEEE 754-2019 minimum: NaN propagates, minimum(-0, +0) is -0.
template <> struct definition<op::minimum> {
    static constexpr char name[] = "minimum";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::integral<T>) return b < a ? b : a;
        else return math::minimum(a, b);
    }
};

/// IEEE 754-2019 maximum: NaN propagates, maximum(-0, +0) is +0.
template <> struct definition<op::maximum> {
    static constexpr char name[] = "maximum";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::integral<T>) return a < b ? b : a;
        else return math::maximum(a, b);
    }
};

/// C remainder, sign of the dividend, exact. Integers: x fmod 0 is 0, INT_MIN fmod -1 is 0.
template <> struct definition<op::fmod> {
    static constexpr char name[] = "fmod";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::unsigned_integral<T>) {
            return static_cast<T>(b == T(0) ? T(0) : a % (b == T(0) ? T(1) : b));
        } else if constexpr (std::integral<T>) {
            // Divisors 0 and -1 give 0 without a division: both would trap on x86.
            const bool safe = b != T(0) && b != T(-1);
            return static_cast<T>(safe ? a % (safe ? b : T(1)) : T(0));
        } else {
            return math::fmod(a, b);
        }
    }
};

/// Python remainder, sign of the divisor (torch.remainder). Integers: x % 0 is 0.
template <> struct definition<op::remainder> {
    static constexpr char name[] = "remainder";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::integral<T>) {
            const T r = definition<op::fmod>::apply(a, b);
            return r != T(0) && detail::is_negative(r) != detail::is_negative(b) ? detail::wrap_add(r, b) : r;
        } else {
            return math::remainder(a, b);
        }
    }
};

/// a * b + c rounded once; integers wrap.
template <> struct definition<op::fma> {
    static constexpr char name[] = "fma";
    static constexpr int arity = 3;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b, T c) {
        if constexpr (std::integral<T>) return detail::wrap_add(detail::wrap_mul(a, b), c);
        else return math::fma(a, b, c);
    }
};

} // namespace toroid
