#pragma once
// minimum and maximum of IEEE 754-2019: NaN propagates and -0 is less than +0. Exact.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float maximum_of(Float a, Float b) {
    if (__builtin_is_constant_evaluated() && (is_nan(a) || is_nan(b))) return is_nan(a) ? a : b;
    const Float larger = select(a > b, a, b);
    // Equal numbers have equal words, except for the two zeros: the common bits are those of +0.
    const Float ordered = select(a == b, from_word<Float>(to_word(a) & to_word(b)), larger);
    return select(is_nan(a), a, ordered);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float minimum_of(Float a, Float b) {
    if (__builtin_is_constant_evaluated() && (is_nan(a) || is_nan(b))) return is_nan(a) ? a : b;
    const Float smaller = select(a < b, a, b);
    const Float ordered = select(a == b, from_word<Float>(to_word(a) | to_word(b)), smaller);
    return select(is_nan(a), a, ordered);
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
