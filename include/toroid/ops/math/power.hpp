#pragma once
// Powers with the special cases of IEEE 754: pow.

#include <toroid/ops/math/exponential.hpp>
#include <toroid/ops/math/logarithm.hpp>
#include <toroid/ops/math/rounding.hpp>

namespace toroid::math {

namespace detail {

/// 1 in place of zero, infinity and NaN, so that a formula never meets them.
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float ordinary_or_one(Float x) {
    return select(magnitude_word(x) - 1u < format<Float>::infinity - 1u, x, Float(1));
}

/// x^y, given |x|^y (`size`) for ordinary x and y.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float finish_power(Float x, Float y, Float size) {
    using facts = format<Float>;
    constexpr word_of<Float> one = to_word(Float(1));
    const word_of<Float> x_size = magnitude_word(x);
    const word_of<Float> y_size = magnitude_word(y);
    const bool x_negative = (to_word(x) & facts::sign) != 0;
    const bool y_positive = (to_word(y) & facts::sign) == 0;
    const Float ordinary_y = ordinary_or_one(y);
    const bool large = !has_fraction(y);
    const Float nearest = round_half_even(ordinary_y);
    const bool whole = (nearest == ordinary_y) | large;
    const Float half = nearest * Float(0.5);
    const bool half_fraction = has_fraction(half);
    const bool odd = (round_half_even(half) != half) & whole & half_fraction & (y_size < facts::infinity);

    const bool x_boundary = (x_size == 0) | (x_size == facts::infinity);
    const bool grows = ((x_size > one) == y_positive);
    const Float limit = select(grows, infinity<Float>(), Float(0));
    Float result = select(x_boundary | (y_size == facts::infinity), limit, size);
    const word_of<Float> with_sign_bit =
        facts::sign & (word_of<Float>{0} - static_cast<word_of<Float>>(x_negative & odd));
    result = from_word<Float>(to_word(result) | with_sign_bit);
    result = select(x_negative & !whole & !x_boundary, quiet_nan<Float>(), result);
    result = select((x_size > facts::infinity) | (y_size > facts::infinity), quiet_nan<Float>(), result);
    const bool unit = (y_size == 0) | (to_word(x) == one) | ((x_size == one) & (y_size == facts::infinity));
    return select(unit, Float(1), result);
}

/// log2(x) of a positive finite x to about 2^-66, relatively.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double_double log2_long(double x) {
    const auto parts = split_exponent(x);
    const double f = parts.significand - 1.0;
    // s = f / (2 + f), then log(1 + f) = 2s + 2/3 s^3 + ... with the leading two terms in double length.
    const double_double divisor = fast_two_sum(2.0, f);
    const double quotient = f / divisor.high;
    const double_double product = multiply(quotient, divisor.high);
    const double remainder = ((f - product.high) - product.low) - quotient * divisor.low;
    const double_double s = fast_two_sum(quotient, remainder / divisor.high);
    const double_double square = multiply(s, s);
    const double z = square.high;
    const double rest =
        z * polynomial(z, 0x1.9999999999b31p-2, 0x1.2492492457b39p-2, 0x1.c71c722d9823ep-3, 0x1.745ce9d1a5deap-3,
                       0x1.3b1eef5a0177cp-3, 0x1.0f7f99d8ad004p-3, 0x1.0e45a8818c3fcp-3);
    const double_double coefficient = fast_two_sum(0x1.5555555555555p-1, rest + 0x1.5555555555555p-55);
    const double_double cubic = multiply(multiply(s, square), coefficient);
    const double_double sum = fast_two_sum(2.0 * s.high, cubic.high);
    const double_double logarithm = fast_two_sum(sum.high, sum.low + (2.0 * s.low + cubic.low));
    const double_double binary = multiply(logarithm, double_double{0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56});
    const double_double total = fast_two_sum(parts.exponent, binary.high);
    return fast_two_sum(total.high, total.low + binary.low);
}

} // namespace detail

/// x^y. pow(x, 0) and pow(1, y) are 1 even for NaN; a negative x needs an integer y (else NaN), and an odd y keeps its
/// sign; pow(+-0, y < 0) is infinite. Max error: f32 0.6 ULP (computed in f64), f64 1.5 ULP.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float pow(float x, float y) {
    const double base = detail::ordinary_or_one(detail::magnitude(x));
    const double product = detail::log2_short(base) * detail::ordinary_or_one(y);
    const double limited = detail::clamp(product, -160.0, 130.0);
    const auto n = detail::to_nearest(limited);
    const double power = 1.0 + detail::expm1_short((limited - n.value) * 0x1.62e42fefa39efp-1);
    return detail::finish_power(x, y, detail::narrow(power * detail::power_of_two<double>(n.word)));
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double pow(double x, double y) {
    const auto logarithm = detail::log2_long(detail::ordinary_or_one(detail::magnitude(x)));
    // Beyond 2^65 every y overflows or underflows, unless x is 1.
    double exponent = detail::clamp(detail::ordinary_or_one(y), -0x1p65, 0x1p65);
    if (__builtin_is_constant_evaluated() && detail::magnitude_word(y) < detail::to_word(0x1p-70)) exponent = 0.0;
    const auto leading = detail::multiply(exponent, logarithm.high);
    const double product = detail::clamp(leading.high, -1100.0, 1030.0);
    const double low = detail::select(product == leading.high, leading.low + exponent * logarithm.low, 0.0);
    const auto n = detail::to_nearest(product);
    const auto r = detail::fast_two_sum(product - n.value, low);
    // r * ln 2 with the error of the product and the low part of ln 2 carried along.
    const auto natural = detail::multiply(r.high, 0x1.62e42fefa39efp-1);
    const double natural_low = natural.low + (r.high * 0x1.abc9e3b39803fp-56 + r.low * 0x1.62e42fefa39efp-1);
    const double square = natural.high * natural.high;
    const double power =
        1.0 + (natural.high + (square * detail::exp_tail(natural.high) + natural_low * (1.0 + natural.high)));
    return detail::finish_power(x, y, detail::scale(power, n.word));
}

} // namespace toroid::math
