#pragma once
// Exponentials: exp, exp2, expm1.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {

/// value * 2^exponent, with value in about [0.7, 1.42] and an exponent that wraps when negative.
template <typename Float> struct scaled {
    Float value;
    word_of<Float> exponent;
};

/// e^r for |r| <= 0.3466. Error of the polynomial: 2^-28.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float exp_reduced(float r) {
    const float tail = polynomial(r, 0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123de2p-7f, 0x1.6ac76ep-10f);
    return 1.0f + (r + r * r * tail);
}
/// (e^r - 1 - r) / r^2 for |r| <= 0.3466. Error in e^r - 1: 2^-61.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double exp_tail(double r) {
    return 0.5 + r * polynomial(r, 0x1.5555555555559p-3, 0x1.555555555554dp-5, 0x1.111111110f5bdp-7,
                                0x1.6c16c16c1a108p-10, 0x1.a01a01b06b4f3p-13, 0x1.a01a019474f60p-16,
                                0x1.71ddf6b24547cp-19, 0x1.27e4febb55b38p-22, 0x1.af620d7aaa37dp-26,
                                0x1.1f43c064b6b6fp-29);
}
/// e^r - 1 for |r| <= 0.3466 in f64 with the relative error 2^-31: for f32 results.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double expm1_short(double r) {
    const double tail = polynomial(r, 0x1.0000002d9e0d6p-1, 0x1.555555a6761dbp-3, 0x1.55549ed71bfdbp-5,
                                   0x1.11101d3e9c5f6p-7, 0x1.6d8372ab0f232p-10, 0x1.a2a493bb26688p-13);
    return r + r * r * tail;
}

/// e^x for |x| < 2^14. ln 2 is split so that its leading part times an exponent is exact.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr scaled<float> exp_scaled(float x) {
    const auto n = to_nearest(x * 0x1.715476p0f);
    return {exp_reduced((x - n.value * 0x1.62ep-1f) - n.value * 0x1.0bfbe8p-15f), n.word};
}
/// e^(x + low) for |x| < 2^10 and a small `low`.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr scaled<double> exp_scaled(double x, double low = 0.0) {
    const auto n = to_nearest(x * 0x1.71547652b82fep0);
    const double r = (x - n.value * 0x1.62e42fefa4p-1) + (n.value * 0x1.8432a1b0e2634p-43 + low);
    return {1.0 + (r + r * r * exp_tail(r)), n.word};
}

/// e^x - 1 for x in [-45, 710].
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double expm1_finite(double x) {
    if (__builtin_is_constant_evaluated() && is_tiny(x)) return x;
    const auto n = to_nearest(x * 0x1.71547652b82fep0);
    const double high = x - n.value * 0x1.62e42fefa4p-1;
    const double low = n.value * 0x1.8432a1b0e2634p-43;
    const double r = high + low;
    const double r_error = (high - r) + low;
    const double tail = r * r * exp_tail(r) + (r_error + r_error * r);
    // 2^n (1 + r + tail) - 1, at half its size so that 2^(n - 1) is a normal number.
    const double power = power_of_two<double>(n.word - 1u);
    const double_double sum = fast_two_sum(power - 0.5, power * r);
    const double half = sum.high + (sum.low + power * tail);
    if (__builtin_is_constant_evaluated() && half > 0.5 * format<double>::largest) return infinity<double>();
    // Halving would lose the last bit of a subnormal number.
    return select(is_tiny(x), x, half + half);
}

} // namespace detail

/// e^x. Max error: f32 1.1 ULP, f64 1.2 ULP; subnormal results are correctly scaled.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float exp(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0f;
    const auto power = detail::exp_scaled(detail::clamp(x, -105.0f, 89.0f));
    return detail::scale(power.value, power.exponent);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double exp(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0;
    const auto power = detail::exp_scaled(detail::clamp(x, -746.0, 710.0));
    return detail::scale(power.value, power.exponent);
}

/// 2^x. Max error: f32 1.1 ULP, f64 1.2 ULP; exact for integers.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float exp2(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0f;
    const float limited = detail::clamp(x, -151.0f, 128.0f);
    const auto n = detail::to_nearest(limited);
    return detail::scale(detail::exp_reduced((limited - n.value) * 0x1.62e43p-1f), n.word);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double exp2(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0;
    const double limited = detail::clamp(x, -1076.0, 1024.0);
    const auto n = detail::to_nearest(limited);
    const double r = (limited - n.value) * 0x1.62e42fefa39efp-1;
    return detail::scale(1.0 + (r + r * r * detail::exp_tail(r)), n.word);
}

/// e^x - 1, accurate near zero and with the sign of x. Max error: f32 0.6 ULP (computed in f64), f64 1.2 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float expm1(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    const double limited = detail::clamp(x, -40.0f, 89.0f);
    const auto n = detail::to_nearest(limited * 0x1.71547652b82fep0);
    const double power = detail::power_of_two<double>(n.word);
    const double r = limited - n.value * 0x1.62e42fefa39efp-1;
    return detail::with_sign(detail::narrow(power * detail::expm1_short(r) + (power - 1.0)), x);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double expm1(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    return detail::expm1_finite(detail::clamp(x, -45.0, 710.0));
}

} // namespace toroid::math
