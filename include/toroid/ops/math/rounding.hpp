#pragma once
// Rounding to integers: floor, ceil, trunc, round (half to even). All exact; the sign of zero is that of x.

#include <toroid/ops/math/bits.hpp>

// Adding and subtracting 2^fraction_bits rounds a smaller magnitude to an integer on every CPU, where a call of floor()
// needs SSE 4.1 to be more than a library call.
namespace toroid::math {

namespace detail {

template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool has_fraction(Float x) {
    constexpr Float limit = format<Float>::integral_from;
    return magnitude_word(x) < to_word(limit);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float round_half_even(Float x) {
    if (__builtin_is_constant_evaluated() && !has_fraction(x)) return x;
    constexpr Float limit = format<Float>::integral_from;
    const Float rounded = (magnitude(x) + limit) - limit;
    return select(has_fraction(x), with_sign(rounded, x), x);
}
/// `value` minus one where `condition` holds.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float minus_one_if(bool condition, Float value) {
    return value - select(condition, Float(1), Float(0));
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float round_down(Float x) {
    if (__builtin_is_constant_evaluated() && !has_fraction(x)) return x;
    const Float rounded = round_half_even(x);
    return with_sign(minus_one_if(rounded > x, rounded), x);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float round_toward_zero(Float x) {
    if (__builtin_is_constant_evaluated() && !has_fraction(x)) return x;
    const Float size = magnitude(x);
    const Float rounded = round_half_even(size);
    return with_sign(minus_one_if(rounded > size, rounded), x);
}

} // namespace detail

/// Largest integer not above x.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float floor(float x) { return detail::round_down(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double floor(double x) { return detail::round_down(x); }

/// Smallest integer not below x.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float ceil(float x) { return -detail::round_down(-x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double ceil(double x) { return -detail::round_down(-x); }

/// Integer part of x.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float trunc(float x) { return detail::round_toward_zero(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double trunc(double x) { return detail::round_toward_zero(x); }

/// Nearest integer, ties to even (as torch.round and numpy.rint).
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float round(float x) { return detail::round_half_even(x); }
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double round(double x) { return detail::round_half_even(x); }

} // namespace toroid::math
