#pragma once
// Sine, cosine and tangent, right for every finite argument. Infinity gives NaN.

#include <toroid/ops/math/angle_reduction.hpp>

namespace toroid::math {

namespace detail {

/// sin and cos for |r| <= 0.7855. Error of the polynomials: 2^-28.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float sin_reduced(float r) {
    const float z = r * r;
    return r + r * z * polynomial(z, -0x1.555546p-3f, 0x1.11077ep-7f, -0x1.9956acp-13f);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float cos_reduced(float r) {
    const float z = r * r;
    return 1.0f - (0.5f * z - z * z * polynomial(z, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f));
}
/// The same in f64 with the relative error 2^-37: for f32 results.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double sin_short(double r) {
    const double z = r * r;
    return r + r * z *
                   polynomial(z, -0x1.5555554cb8b18p-3, 0x1.11110895634eap-7, -0x1.a00f9ce8dc605p-13,
                              0x1.6cd82aa74d9e4p-19);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double cos_short(double r) {
    const double z = r * r;
    return 1.0 - (0.5 * z - z * z *
                                polynomial(z, 0x1.5555554ed87b0p-5, -0x1.6c16b828ff51ap-10, 0x1.a010de18b57dcp-16,
                                           -0x1.241e7540d9e68p-22));
}
/// sin and cos of a double-length r. Error of the polynomials: 2^-58.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double sin_reduced(double_double r) {
    const double z = r.high * r.high;
    const double tail = polynomial(z, -0x1.5555555555549p-3, 0x1.111111110f8a4p-7, -0x1.a01a019c15ab7p-13,
                                   0x1.71de357aa2882p-19, -0x1.ae5e68301533ap-26, 0x1.5d9380710d704p-33);
    return r.high + (r.low * (1.0 - 0.5 * z) + r.high * z * tail);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double cos_reduced(double_double r) {
    const double z = r.high * r.high;
    const double tail = polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c1503ap-10, 0x1.a01a019c953ebp-16,
                                   -0x1.27e4f7f757667p-22, 0x1.1ee9e07987186p-29, -0x1.8fa940a3b75f3p-37);
    const double half = 0.5 * z;
    const double leading = 1.0 - half;
    return leading + (((1.0 - leading) - half) + (z * z * tail - r.high * r.low));
}

/// sin(r + quadrant * pi/2) from the sine and cosine of r, with the sign flipped where `flip` has its top bit.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float turn(word_of<Float> quadrant, Float sine, Float cosine,
                                                               word_of<Float> flip) {
    const Float value = blend(word_of<Float>{0} - (quadrant & 1u), cosine, sine);
    const word_of<Float> negate = quadrant >> 1 << (sizeof(Float) * 8 - 1);
    return from_word<Float>(to_word(value) ^ negate ^ (flip & format<Float>::sign));
}
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float nan_unless_finite(Float x, Float result) {
    return select(magnitude_word(x) < format<Float>::infinity, result, quiet_nan<Float>());
}

} // namespace detail

/// Sine, with the sign of a zero kept. Max error: f32 2 ULP, f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float sin(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return x;
    const auto angle = detail::reduce_angle(x);
    const float r = static_cast<float>(angle.rest);
    const float result =
        detail::turn(angle.quadrant, detail::sin_reduced(r), detail::cos_reduced(r), detail::to_word(x));
    return detail::nan_unless_finite(x, result);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double sin(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return x;
    const auto angle = detail::reduce_angle(x);
    const double result = detail::turn(angle.quadrant, detail::sin_reduced(angle.rest), detail::cos_reduced(angle.rest),
                                       detail::to_word(x));
    return detail::nan_unless_finite(x, result);
}

/// Cosine. Max error: f32 2 ULP, f64 1 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float cos(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0f;
    const auto angle = detail::reduce_angle(x);
    const float r = static_cast<float>(angle.rest);
    const float result = detail::turn(angle.quadrant + 1u, detail::sin_reduced(r), detail::cos_reduced(r), 0u);
    return detail::nan_unless_finite(x, result);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double cos(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0;
    const auto angle = detail::reduce_angle(x);
    const double result = detail::turn(angle.quadrant + 1u, detail::sin_reduced(angle.rest),
                                       detail::cos_reduced(angle.rest), std::uint64_t{0});
    return detail::nan_unless_finite(x, result);
}

namespace detail {
/// tan(r + quadrant * pi/2) from the sine and cosine of r.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double turned_ratio(std::uint64_t quadrant, double sine,
                                                                        double cosine) {
    const std::uint64_t odd = std::uint64_t{0} - (quadrant & 1u);
    return blend(odd, -cosine, sine) / blend(odd, sine, cosine);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float flip_sign(Float x, Float sign) {
    return from_word<Float>(to_word(x) ^ (to_word(sign) & format<Float>::sign));
}
} // namespace detail

/// Tangent. Max error: f32 1 ULP (computed in f64), f64 2.5 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float tan(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return x;
    const auto angle = detail::reduce_angle(x);
    const double ratio =
        detail::turned_ratio(angle.quadrant, detail::sin_short(angle.rest), detail::cos_short(angle.rest));
    return detail::nan_unless_finite(x, detail::flip_sign(detail::narrow(ratio), x));
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double tan(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return x;
    const auto angle = detail::reduce_angle(x);
    const double ratio =
        detail::turned_ratio(angle.quadrant, detail::sin_reduced(angle.rest), detail::cos_reduced(angle.rest));
    return detail::nan_unless_finite(x, detail::flip_sign(ratio, x));
}

} // namespace toroid::math
