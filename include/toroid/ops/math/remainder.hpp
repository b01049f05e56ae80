#pragma once
// Remainders of a division: fmod (sign of the dividend, as C) and remainder (sign of the divisor, as Python and torch).

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {

/// Exact x mod y of finite x and nonzero finite y, by long division of significands.
template <typename Float> TOROID_HOST_DEVICE constexpr Float long_division_remainder(Float x, Float y) {
    using word = word_of<Float>;
    if (magnitude_word(x) < magnitude_word(y)) return x;
    constexpr int bits = format<Float>::fraction_bits;
    constexpr word hidden = word{1} << bits;
    // A magnitude as significand * 2^exponent; both exponents share an offset that cancels.
    const auto exponent_of = [](Float value) { return static_cast<int>(magnitude_word(value) >> bits); };
    const auto significand_of = [](Float value) {
        const word fraction = magnitude_word(value) & (hidden - 1u);
        return magnitude_word(value) < hidden ? fraction : fraction | hidden;
    };
    const int x_exponent = exponent_of(x) == 0 ? 1 : exponent_of(x);
    const int y_exponent = exponent_of(y) == 0 ? 1 : exponent_of(y);
    word rest = significand_of(x);
    const word divisor = significand_of(y);
    int shift = x_exponent - y_exponent;
    rest %= divisor;
    while (shift > 0) {
        const int step = shift < int{sizeof(Float)} ? shift : int{sizeof(Float)};
        rest = (rest << step) % divisor;
        shift -= step;
    }
    // rest < 2 * hidden, in units of the last place at y_exponent.
    int exponent = y_exponent;
    while (rest != 0 && rest < hidden && exponent > 1) {
        rest <<= 1;
        --exponent;
    }
    const word size = rest < hidden ? rest : (static_cast<word>(exponent) << bits) | (rest - hidden);
    return from_word<Float>(size | (to_word(x) & format<Float>::sign));
}

/// fmod in constant expressions: the special cases, then the exact division.
template <typename Float> TOROID_HOST_DEVICE constexpr Float exact_fmod(Float x, Float y) {
    if (is_nan(x) || is_nan(y) || magnitude_word(x) == format<Float>::infinity || magnitude_word(y) == 0)
        return quiet_nan<Float>();
    if (magnitude_word(y) == format<Float>::infinity) return x;
    return long_division_remainder(x, y);
}

/// The remainder of sign(x), moved to the sign of y.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float with_sign_of_divisor(Float rest, Float y) {
    if (__builtin_is_constant_evaluated() && is_nan(rest)) return rest;
    const bool opposite = ((to_word(rest) ^ to_word(y)) & format<Float>::sign) != 0;
    const Float moved = select(opposite, rest + y, rest);
    return select(magnitude_word(rest) == 0, with_sign(rest, y), moved);
}

} // namespace detail

/// x - trunc(x / y) * y, exact, with the sign of x. NaN if x is infinite or y is zero; x if y is infinite.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float fmod(float x, float y) {
    if (__builtin_is_constant_evaluated()) return detail::exact_fmod(x, y);
    return __builtin_fmodf(x, y);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double fmod(double x, double y) {
    if (__builtin_is_constant_evaluated()) return detail::exact_fmod(x, y);
    return __builtin_fmod(x, y);
}

/// x - floor(x / y) * y, rounded once, with the sign of y (also of a zero), as `%` in Python; of numbers other than 0
/// also torch.remainder.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float remainder(float x, float y) {
    return detail::with_sign_of_divisor(fmod(x, y), y);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double remainder(double x, double y) {
    return detail::with_sign_of_divisor(fmod(x, y), y);
}

} // namespace toroid::math
