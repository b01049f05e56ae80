#pragma once
// Logarithms: log, log2, log10, log1p. Zero gives -infinity, negative numbers NaN.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {

/// Zero, negative, infinite or NaN: no logarithm to compute.
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool log_is_special(Float x) {
    return to_word(x) - 1u >= format<Float>::infinity - 1u;
}
/// `result`, or what the logarithm of a special `x` is.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float log_or_special(Float x, Float result) {
    const word_of<Float> word = to_word(x);
    const Float finite = select(word >= format<Float>::infinity, x, result);
    const Float valid = select(word > format<Float>::infinity, quiet_nan<Float>(), finite);
    return select(magnitude_word(x) == 0, -infinity<Float>(), valid);
}

/// x = 2^exponent * significand, with the significand in [sqrt(1/2), sqrt(2)).
template <typename Float> struct split_number {
    Float exponent;
    Float significand;
};
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr split_number<float> split_exponent(float x) {
    constexpr std::uint32_t root_half = 0x3f3504f3u;
    const bool subnormal = to_word(x) < 0x00800000u;
    const std::uint32_t word = to_word(x * select(subnormal, 0x1p23f, 1.0f)) + (0x3f800000u - root_half);
    const float exponent = static_cast<float>(static_cast<std::int32_t>(word >> 23));
    return {exponent - select(subnormal, 127.0f + 23.0f, 127.0f), from_word<float>((word & 0x007fffffu) + root_half)};
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr split_number<double> split_normal(double x) {
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const std::uint64_t word = to_word(x) + (0x3ff0000000000000u - root_half);
    // The word of 2^52 + k has k in its low bits.
    const double exponent = from_word<double>(word >> 52 | 0x4330000000000000u) - (0x1p52 + 1023.0);
    return {exponent, from_word<double>((word & 0x000fffffffffffffu) + root_half)};
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr split_number<double> split_exponent(double x) {
    const bool subnormal = to_word(x) < 0x0010000000000000u;
    const auto parts = split_normal(x * select(subnormal, 0x1p54, 1.0));
    return {parts.exponent - select(subnormal, 54.0, 0.0), parts.significand};
}

/// log(1 + f) in f64 for 1 + f in [sqrt(1/2), sqrt(2)] with the relative error 2^-44: for f32 results.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log1p_short(double f) {
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double tail = polynomial(z, 0x1.555555561e9fep-1, 0x1.999996a836573p-2, 0x1.2494126b6a2e3p-2,
                                   0x1.c62ae87ae7fb4p-3, 0x1.911836c33f485p-3);
    return s * (2.0 + z * tail);
}
/// log2(x) in f64 of a positive finite x with the relative error 2^-44: for f32 results.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log2_short(double x) {
    const auto parts = split_normal(x);
    return parts.exponent + log1p_short(parts.significand - 1.0) * 0x1.71547652b82fep0;
}

/// log(1 + f) = f - half_square + correction for 1 + f in [sqrt(1/2), sqrt(2)]. Error of the polynomial: 2^-59.
struct log_terms {
    double half_square;
    double correction;
};
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr log_terms log1p_terms(double f) {
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double tail =
        z * polynomial(z, 0x1.5555555555593p-1, 0x1.999999997f9fbp-2, 0x1.249249422a0c6p-2, 0x1.c71c51d8044f7p-3,
                       0x1.746649a3cb244p-3, 0x1.39a096c9563f4p-3, 0x1.2f117279284d0p-3);
    const double half_square = 0.5 * f * f;
    return {half_square, s * (half_square + tail)};
}

/// exponent * log(2) + log(1 + f) + low.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log_sum(double exponent, double f, double low) {
    const log_terms terms = log1p_terms(f);
    const double small = terms.correction + (low - exponent * 0x1.8432a1b0e2634p-43);
    return exponent * 0x1.62e42fefa4p-1 - ((terms.half_square - small) - f);
}

/// Logarithm to a base b, given 1 / log(b) and log(2) / log(b) as sums of two: the leading part of the first has 26
/// bits (its products below are exact), that of the second 41.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log_to_base(double x, double_double scale,
                                                                       double_double log_two) {
    const auto parts = split_exponent(x);
    const double f = parts.significand - 1.0;
    const log_terms terms = log1p_terms(f);
    const double high = from_word<double>(to_word(f - terms.half_square) & 0xffffffff00000000u);
    const double low = ((f - high) - terms.half_square) + terms.correction;
    const double whole = parts.exponent * log_two.high;
    const double leading = high * scale.high;
    const double_double sum = fast_two_sum(whole, leading);
    return sum.high + (sum.low + (parts.exponent * log_two.low + ((low + high) * scale.low + low * scale.high)));
}

} // namespace detail

/// Natural logarithm. Max error: f32 1.1 ULP, f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float log(float x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    const auto parts = detail::split_exponent(x);
    const float f = parts.significand - 1.0f;
    const float square = f * f;
    const float tail =
        detail::polynomial(f, 0x1.555548p-2f, -0x1.000006p-2f, 0x1.99a4b8p-3f, -0x1.555c5cp-3f, 0x1.233724p-3f,
                           -0x1.fc1f88p-4f, 0x1.e6f206p-4f, -0x1.de4ca8p-4f, 0x1.14688cp-4f);
    const float low = (f * square * tail + parts.exponent * 0x1.0bfbe8p-15f) - 0.5f * square;
    return detail::log_or_special(x, (f + low) + parts.exponent * 0x1.62ep-1f);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log(double x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    const auto parts = detail::split_exponent(x);
    return detail::log_or_special(x, detail::log_sum(parts.exponent, parts.significand - 1.0, 0.0));
}

/// Logarithm to the base 2; exact for powers of two. Max error: f32 0.6 ULP (computed in f64), f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float log2(float x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    return detail::log_or_special(x, detail::narrow(detail::log2_short(x)));
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log2(double x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    const double result = detail::log_to_base(x, {0x1.7154768p0, -0x1.6a3e80f444178p-27}, {1.0, 0.0});
    return detail::log_or_special(x, result);
}

/// Logarithm to the base 10. Max error: f32 0.6 ULP (computed in f64), f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float log10(float x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    return detail::log_or_special(x, detail::narrow(detail::log2_short(x) * 0x1.34413509f79ffp-2));
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log10(double x) {
    if (__builtin_is_constant_evaluated() && detail::log_is_special(x)) return detail::log_or_special(x, x);
    const double result =
        detail::log_to_base(x, {0x1.bcb7b18p-2, -0x1.6c8d78e6acaa4p-29}, {0x1.34413509f8p-2, -0x1.80433b83b532ap-44});
    return detail::log_or_special(x, result);
}

/// log(1 + x), accurate near zero and with the sign of x; log1p(-1) is -infinity. Max error: f32 0.6 ULP (computed in
/// f64), f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float log1p(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    const double sum = 1.0 + x;
    if (__builtin_is_constant_evaluated() && detail::log_is_special(sum))
        return detail::narrow(detail::log_or_special(sum, sum));
    const auto parts = detail::split_normal(sum);
    const bool small = detail::magnitude_word(x) < 0x3e800000u; // |x| < 1/4: the sum would lose bits of x
    const double exponent = detail::select(small, 0.0, parts.exponent);
    const double f = detail::select(small, static_cast<double>(x), parts.significand - 1.0);
    const double result = exponent * 0x1.62e42fefa39efp-1 + detail::log1p_short(f);
    return detail::with_sign(detail::narrow(detail::log_or_special(sum, result)), x);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double log1p(double x) {
    if (__builtin_is_constant_evaluated() && (detail::is_nan(x) || detail::is_tiny(x))) return x;
    const double sum = 1.0 + x;
    if (__builtin_is_constant_evaluated() && detail::log_is_special(sum)) return detail::log_or_special(sum, sum);
    const auto parts = detail::split_normal(sum);
    const bool small = detail::magnitude_word(x) < detail::to_word(0.25);
    const double rounding = detail::two_sum(1.0, x).low / sum;
    const double exponent = detail::select(small, 0.0, parts.exponent);
    const double f = detail::select(small, x, parts.significand - 1.0);
    const double result = detail::log_sum(exponent, f, detail::select(small, 0.0, rounding));
    return detail::with_sign(detail::log_or_special(sum, result), x);
}

} // namespace toroid::math
