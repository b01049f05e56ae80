#pragma once
// Error function and its complement: erf, erfc.

#include <toroid/ops/math/exponential.hpp>

namespace toroid::math {

namespace detail {

/// erf(x) for |x| <= 0.93. Error of the polynomial: 2^-59.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double erf_near_zero(double x) {
    const double square = x * x;
    return x + x * polynomial(square, 0x1.06eba8214db68p-3, -0x1.812746b037999p-2, 0x1.ce2f21a03f316p-4,
                              -0x1.b82ce31184711p-6, 0x1.565bcce7ef34bp-8, -0x1.c02dad4e24e76p-11,
                              0x1.f9a26ac88351fp-14, -0x1.f4c4d9ec86e8ap-17, 0x1.b942aa218895bp-20,
                              -0x1.5a5d3be377795p-23, 0x1.ca04fd23d3990p-27, -0x1.7f441a7c413efp-31);
}

/// erfc(x) for x in [0.49, 27.3]: e^(-x^2) P(t) / (1 + 2x) with t = (x - 3) / (x + 3). Error of the polynomial: 2^-60.
/// Source of the form: M. M. Shepherd and J. G. Laframboise, Mathematics of Computation 36 (1981).
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double erfc_tail(double x) {
    const double t = (x - 3.0) / (x + 3.0);
    const double scaled_tail =
        polynomial(t, 0x1.a19969d5cf11fp-55, -0x1.15c084bb9e8f3p-3, -0x1.85a15c58aa5cbp-5, 0x1.098366a5b46d6p-3,
                   -0x1.e88b803a493d4p-4, 0x1.17ca2877f0af6p-4, -0x1.8574c40bc71e8p-6, 0x1.4b884e44dc1bep-9,
                   0x1.ef1bdd3d92bddp-10, -0x1.98db512e2b84cp-11, -0x1.b9126ce487cfdp-14, 0x1.065a394075c4bp-13,
                   0x1.4c216648e78b6p-18, -0x1.513b759362b81p-16, -0x1.87db77270b95cp-21, 0x1.d206b8cad71c1p-19,
                   0x1.7a439b7d4b023p-22, -0x1.4a67f599cbed6p-21, -0x1.1f200c6239ee8p-23, 0x1.aaff1de3b751dp-24,
                   0x1.21885b7a87103p-25, -0x1.75f022cec3bf3p-27, -0x1.1c1732a054b74p-28) +
        0x1.40c522d7e4987p0;
    // The square is summed from an exact leading part, since the exponential magnifies its error by the square itself.
    const double x_high = upper_half(x);
    const auto power = exp_scaled(-(x_high * x_high), -((x - x_high) * (x + x_high)));
    return scale(power.value * (scaled_tail / (1.0 + 2.0 * x)), power.exponent);
}

/// 2 / sqrt(pi) x, for constant expressions with tiny and subnormal numbers.
template <typename Float> TOROID_HOST_DEVICE constexpr Float erf_of_tiny(Float x) {
    if (magnitude_word(x) == 0) return x;
    const Float enlarged = magnitude(x) * Float(0x1p60);
    return with_sign(scale_word(enlarged + enlarged * Float(0x1.06eba8214db69p-3), word_of<Float>{0} - 60u), x);
}

} // namespace detail

/// Error function. Max error: f32 1.5 ULP, f64 2 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float erf(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return detail::erf_of_tiny(x);
    const float size = detail::clamp(detail::magnitude(x), 0.0f, 3.93f); // erf(3.92) rounds to 1
    const float square = size * size;
    // |x| < 0.93; error of the polynomial: 2^-30.
    const float near_zero =
        size + size * detail::polynomial(square, 0x1.06eba8p-3f, -0x1.812740p-2f, 0x1.ce2d64p-4f, -0x1.b8011cp-6f,
                                         0x1.544a4cp-8f, -0x1.a60d34p-11f, 0x1.4f7618p-14f);
    // 0.92 < |x| < 3.93: 1 - e^(|x| P(|x|) - |x|); error of the polynomial in the result: 2^-31.
    const float tail = detail::polynomial(size, -0x1.074626p-3f, -0x1.4570b4p-1f, -0x1.af26dcp-4f, 0x1.7376ecp-6f,
                                          -0x1.7fe0aep-9f, 0x1.9b5aeap-15f, 0x1.7f1634p-15f, -0x1.4b7db8p-18f);
    const auto power = detail::exp_scaled(size * tail - size);
    const float far = 1.0f - power.value * detail::power_of_two<float>(power.exponent);
    return detail::with_sign(detail::select(detail::to_word(size) < detail::to_word(0.925f), near_zero, far), x);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double erf(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return detail::erf_of_tiny(x);
    const double size = detail::magnitude(x);
    const double far = 1.0 - detail::erfc_tail(detail::clamp(size, 0.9, 6.0));
    const double near_zero = detail::erf_near_zero(detail::clamp(x, -0.9, 0.9));
    return detail::with_sign(detail::select(detail::to_word(size) < detail::to_word(0.9), near_zero, far), x);
}

/// 1 - erf(x), relatively accurate in the right tail down to subnormal results. Max error: f32 1 ULP (computed in
/// f64), f64 4 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float erfc(float x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    const double size = detail::clamp(detail::magnitude(x), 0.0f, 10.1f);
    // 0 <= |x| <= 10.1; relative error of the polynomial: 2^-32.
    const double t = (size - 2.0) / (size + 2.0);
    const double scaled_tail =
        detail::polynomial(t, 0x1.46e80e2384255p0, -0x1.7bf5eca0eaee2p-4, -0x1.5407c2ff50dbfp-3, 0x1.4ffa287b339e6p-3,
                           -0x1.bc2a1f9c07b21p-5, -0x1.0747d55e3b48fp-7, 0x1.1da21d6ce2ebep-7, 0x1.4d7fb7640e416p-10,
                           -0x1.78043b0a81a9dp-10, -0x1.d2b78c7285a83p-12, 0x1.5f284cce04df9p-13, 0x1.e7e8cecf215b1p-14,
                           0x1.297cc54a2893ap-16);
    const double argument = -(size * size);
    const auto n = detail::to_nearest(argument * 0x1.71547652b82fep0);
    const double power = 1.0 + detail::expm1_short(argument - n.value * 0x1.62e42fefa39efp-1);
    const double right = power * detail::power_of_two<double>(n.word) * (scaled_tail / (1.0 + 2.0 * size));
    return detail::narrow(detail::select((detail::to_word(x) & 0x80000000u) != 0, 2.0 - right, right));
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double erfc(double x) {
    if (__builtin_is_constant_evaluated() && detail::is_nan(x)) return x;
    if (__builtin_is_constant_evaluated() && detail::is_tiny(x)) return 1.0;
    const double size = detail::magnitude(x);
    const double tail = detail::erfc_tail(detail::clamp(size, 0.5, 27.3));
    const double far = detail::select((detail::to_word(x) & detail::format<double>::sign) != 0, 2.0 - tail, tail);
    const double near_zero = 1.0 - detail::erf_near_zero(detail::clamp(x, -0.5, 0.5));
    return detail::select(detail::to_word(size) < detail::to_word(0.5), near_zero, far);
}

} // namespace toroid::math
