#pragma once
// Sign and class of a floating-point number: abs, copysign, sign, isnan, isinf. All exact.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

/// |x|. Clears the sign, also of NaN.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float abs(float x) { return detail::magnitude(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double abs(double x) { return detail::magnitude(x); }

/// Magnitude of `size` with the sign bit of `sign`.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float copysign(float size, float sign) {
    return detail::with_sign(size, sign);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double copysign(double size, double sign) {
    return detail::with_sign(size, sign);
}

[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool isnan(float x) { return detail::is_nan(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool isnan(double x) { return detail::is_nan(x); }

[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool isinf(float x) {
    return detail::magnitude_word(x) == detail::format<float>::infinity;
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool isinf(double x) {
    return detail::magnitude_word(x) == detail::format<double>::infinity;
}

namespace detail {
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float sign_of(Float x) {
    const word_of<Float> size = magnitude_word(x);
    return select(size - 1u < format<Float>::infinity, with_sign(Float(1), x), x);
}
} // namespace detail

/// -1, 0 or 1. NaN gives NaN (as in NumPy) and a zero keeps its sign.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float sign(float x) { return detail::sign_of(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double sign(double x) { return detail::sign_of(x); }

} // namespace toroid::math
