#pragma once
// minimum and maximum of IEEE 754-2019: NaN propagates and -0 is less than +0. Exact.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float maximum_of(Float a, Float b) {
    if (__builtin_is_constant_evaluated() && (is_nan(a) || is_nan(b))) return is_nan(a) ? a : b;
    // Each of these is one instruction, which gives its second operand where the two are equal or one is NaN. Equal numbers
    // have equal words, except for the two zeros: the common bits are those of +0.
    const Float larger = a > b ? a : b;
    const Float swapped = b > a ? b : a;
    const Float ordered = from_word<Float>(to_word(larger) & to_word(swapped));
    const Float number = b != b ? b : ordered;
    return a != a ? a : number;
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float minimum_of(Float a, Float b) {
    if (__builtin_is_constant_evaluated() && (is_nan(a) || is_nan(b))) return is_nan(a) ? a : b;
    const Float smaller = a < b ? a : b;
    const Float swapped = b < a ? b : a;
    const Float ordered = from_word<Float>(to_word(smaller) | to_word(swapped));
    const Float number = b != b ? b : ordered;
    return a != a ? a : number;
}
} // namespace detail

/// Larger of two numbers; NaN if either is NaN; maximum(-0, +0) is +0.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float maximum(float a, float b) { return detail::maximum_of(a, b); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double maximum(double a, double b) {
    return detail::maximum_of(a, b);
}

/// Smaller of two numbers; NaN if either is NaN; minimum(-0, +0) is -0.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float minimum(float a, float b) { return detail::minimum_of(a, b); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double minimum(double a, double b) {
    return detail::minimum_of(a, b);
}

} // namespace toroid::math
