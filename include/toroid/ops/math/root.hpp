#pragma once
// Square roots: sqrt (correctly rounded) and rsqrt.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {

/// Correctly rounded square root of a positive finite number, digit by digit.
TOROID_HOST_DEVICE constexpr double square_root_by_digits(double x) {
    constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
    std::uint64_t word = to_word(x);
    int exponent = static_cast<int>(word >> 52);
    std::uint64_t significand = word & (hidden - 1);
    if (exponent == 0) {
        exponent = 1;
        while (significand < hidden) {
            significand <<= 1;
            --exponent;
        }
    }
    significand |= hidden;
    exponent -= 1023;
    if ((exponent & 1) != 0) {
        significand <<= 1;
        --exponent;
    }
    // The significand lies in [2^52, 2^54). 27 digit pairs of it and 27 pairs of zeros give 54 bits of root: 53 and a
    // round bit.
    std::uint64_t root = 0;
    std::uint64_t remainder = 0;
    for (int pair = 26; pair > -28; --pair) {
        const std::uint64_t digits = pair >= 0 ? significand >> (2 * pair) & 3u : 0u;
        remainder = remainder << 2 | digits;
        const std::uint64_t trial = root << 2 | 1u;
        root <<= 1;
        if (remainder >= trial) {
            remainder -= trial;
            root |= 1u;
        }
    }
    // A root is never halfway between two numbers, so the round bit alone decides.
    const std::uint64_t rounded = (root + 1) >> 1;
    return from_word<double>((static_cast<std::uint64_t>(exponent / 2 + 1022) << 52) + rounded);
}

/// What sqrt answers where no digits are needed (NaN, negative, zero, infinite); `x` itself means "compute".
template <typename Float> TOROID_HOST_DEVICE constexpr bool root_is_special(Float x) {
    return to_word(x) - 1u >= format<Float>::infinity - 1u;
}
template <typename Float> TOROID_HOST_DEVICE constexpr Float special_root(Float x) {
    if (is_nan(x) || magnitude_word(x) == 0 || x > Float(0)) return x;
    return quiet_nan<Float>();
}

// The builtin alone is a call that sets errno for negative numbers, which no vectoriser takes. g++ drops the errno of a
// call through a pointer to a const function; clang turns the SSE builtin into llvm.sqrt. Both give one instruction.
#if defined(__clang__) && defined(__SSE2__) && !defined(__CUDA__)
[[gnu::always_inline]] inline float hardware_root(float x) {
    using vector = float __attribute__((vector_size(16)));
    return __builtin_ia32_sqrtss(vector{x, 0.0f, 0.0f, 0.0f})[0];
}
[[gnu::always_inline]] inline double hardware_root(double x) {
    using vector = double __attribute__((vector_size(16)));
    return __builtin_ia32_sqrtsd(vector{x, 0.0})[0];
}
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
typedef float (*root_function32)(float) __attribute__((const));
typedef double (*root_function64)(double) __attribute__((const));
[[gnu::always_inline]] inline float hardware_root(float x) { return ((root_function32)__builtin_sqrtf)(x); }
[[gnu::always_inline]] inline double hardware_root(double x) { return ((root_function64)__builtin_sqrt)(x); }
#else
[[gnu::always_inline]] TOROID_HOST_DEVICE inline float hardware_root(float x) { return __builtin_sqrtf(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE inline double hardware_root(double x) { return __builtin_sqrt(x); }
#endif

} // namespace detail

/// Square root, correctly rounded. sqrt(-0) is -0; NaN for negative numbers.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double sqrt(double x) {
    if (__builtin_is_constant_evaluated())
        return detail::root_is_special(x) ? detail::special_root(x) : detail::square_root_by_digits(x);
    return detail::hardware_root(x);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float sqrt(float x) {
    // 53 bits are more than twice 24 and two: rounding the f64 root again is harmless.
    if (__builtin_is_constant_evaluated())
        return detail::root_is_special(x) ? detail::special_root(x)
                                          : static_cast<float>(detail::square_root_by_digits(x));
    return detail::hardware_root(x);
}

namespace detail {
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float reciprocal_root(Float x) {
    if (__builtin_is_constant_evaluated()) {
        if (magnitude_word(x) == 0) return with_sign(infinity<Float>(), x);
        if (root_is_special(x)) return to_word(x) == format<Float>::infinity ? Float(0) : quiet_nan<Float>();
    }
    return Float(1) / sqrt(x);
}
} // namespace detail

/// 1 / sqrt(x). rsqrt(+-0) is +-infinity. Max error: 1.5 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float rsqrt(float x) { return detail::reciprocal_root(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double rsqrt(double x) { return detail::reciprocal_root(x); }

} // namespace toroid::math
