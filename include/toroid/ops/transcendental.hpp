#pragma once
// Roots, exponentials, logarithms, trigonometric functions, erf, sigmoid, pow. Integers and bool are taken in f32.

#include <concepts>

#include <toroid/ops/math/error_function.hpp>
#include <toroid/ops/math/exponential.hpp>
#include <toroid/ops/math/hyperbolic.hpp>
#include <toroid/ops/math/logarithm.hpp>
#include <toroid/ops/math/power.hpp>
#include <toroid/ops/math/root.hpp>
#include <toroid/ops/math/trigonometric.hpp>
#include <toroid/ops/op.hpp>
#include <toroid/ops/wrap.hpp>

namespace toroid {

/// Square root, correctly rounded; sqrt(-0) is -0, sqrt of a negative number is NaN.
template <> struct definition<op::sqrt> {
    static constexpr char name[] = "sqrt";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::sqrt(x); }
};

/// 1 / sqrt(x); rsqrt(±0) is ±inf.
template <> struct definition<op::rsqrt> {
    static constexpr char name[] = "rsqrt";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::rsqrt(x);
    }
};

/// e to the x; at most 2 ULP (see math/exponential.hpp).
template <> struct definition<op::exp> {
    static constexpr char name[] = "exp";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::exp(x); }
};

/// 2 to the x; at most 2 ULP.
template <> struct definition<op::exp2> {
    static constexpr char name[] = "exp2";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::exp2(x); }
};

/// exp(x) - 1 without cancellation near 0; at most 2 ULP; expm1(-0) is -0.
template <> struct definition<op::expm1> {
    static constexpr char name[] = "expm1";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::expm1(x);
    }
};

/// Natural logarithm; at most 2 ULP; log(0) is -inf, log of a negative number is NaN.
template <> struct definition<op::log> {
    static constexpr char name[] = "log";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::log(x); }
};

/// Logarithm to base 2; at most 2 ULP.
template <> struct definition<op::log2> {
    static constexpr char name[] = "log2";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::log2(x); }
};

/// Logarithm to base 10; at most 2 ULP.
template <> struct definition<op::log10> {
    static constexpr char name[] = "log10";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::log10(x);
    }
};

/// log(1 + x) without cancellation near 0; log1p(-0) is -0, log1p(-1) is -inf.
template <> struct definition<op::log1p> {
    static constexpr char name[] = "log1p";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::log1p(x);
    }
};

/// Sine of radians, right for every argument; sin(±inf) is NaN.
template <> struct definition<op::sin> {
    static constexpr char name[] = "sin";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::sin(x); }
};

/// Cosine of radians, right for every argument; cos(±inf) is NaN.
template <> struct definition<op::cos> {
    static constexpr char name[] = "cos";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::cos(x); }
};

/// Tangent of radians, right for every argument; tan(±inf) is NaN.
template <> struct definition<op::tan> {
    static constexpr char name[] = "tan";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::tan(x); }
};

/// Hyperbolic tangent; tanh(±inf) is ±1, tanh(-0) is -0.
template <> struct definition<op::tanh> {
    static constexpr char name[] = "tanh";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::tanh(x); }
};

/// 1 / (1 + exp(-x)); sigmoid(±inf) is 1 and 0, never NaN for a number.
template <> struct definition<op::sigmoid> {
    static constexpr char name[] = "sigmoid";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) {
        return math::sigmoid(x);
    }
};

/// Error function.
template <> struct definition<op::erf> {
    static constexpr char name[] = "erf";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::erf(x); }
};

/// 1 - erf(x) without cancellation.
template <> struct definition<op::erfc> {
    static constexpr char name[] = "erfc";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::floating;
    static constexpr dtype_set operands = dtype_set::all;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T x) { return math::erfc(x); }
};

/// a to the b. Floating: IEEE 754 special cases (pow(x, 0) is 1 even for NaN). Integers: wrap-around power; a negative
/// exponent gives 0, or ±1 where |a| is 1.
template <> struct definition<op::pow> {
    static constexpr char name[] = "pow";
    static constexpr int arity = 2;
    static constexpr type_rule rule = type_rule::same;
    static constexpr dtype_set operands = dtype_set::numbers;
    template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr T apply(T a, T b) {
        if constexpr (std::integral<T>) return integer_power(a, b);
        else return math::pow(a, b);
    }

private:
    template <std::integral T> TOROID_HOST_DEVICE static constexpr T integer_power(T a, T b) {
        if (detail::is_negative(b)) {
            if (a == T(1)) return T(1);
            if constexpr (std::signed_integral<T>)
                if (a == T(-1)) return b % T(2) == T(0) ? T(1) : T(-1);
            return T(0);
        }
        T result = T(1);
        for (T rest = b; rest != T(0); rest = static_cast<T>(rest / T(2))) {
            if (rest % T(2) != T(0)) result = detail::wrap_mul(result, a);
            a = detail::wrap_mul(a, a);
        }
        return result;
    }
};

} // namespace toroid
