#pragma once
// Fused multiply-add: a * b + c with a single rounding.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math {

namespace detail {

//=== f64 in constant expressions: integers of 128 bits ===//

/// (high * 2^64 + low) * 2^exponent; normalised when its top bit is bit 124.
struct wide_number {
    std::uint64_t high;
    std::uint64_t low;
    int exponent;
};
TOROID_HOST_DEVICE constexpr wide_number normalized(wide_number x) {
    if ((x.high | x.low) == 0) return x;
    while (x.high >> 61 != 0) {
        x.low = x.low >> 1 | (x.low & 1u) | x.high << 63;
        x.high >>= 1;
        ++x.exponent;
    }
    while (x.high >> 60 == 0) {
        x.high = x.high << 1 | x.low >> 63;
        x.low <<= 1;
        --x.exponent;
    }
    return x;
}
/// x / 2^count, with the lost bits gathered in the last one.
TOROID_HOST_DEVICE constexpr wide_number shifted_right(wide_number x, int count) {
    for (; count > 0 && (x.high != 0 || x.low > 1u); --count) {
        x.low = x.low >> 1 | (x.low & 1u) | x.high << 63;
        x.high >>= 1;
    }
    return x;
}
/// Significand and exponent of a finite magnitude.
TOROID_HOST_DEVICE constexpr wide_number unpacked(double x) {
    const std::uint64_t word = magnitude_word(x);
    const std::uint64_t fraction = word & 0x000fffffffffffffu;
    if (word >> 52 == 0) return {0, fraction, -1074};
    return {0, fraction | 0x0010000000000000u, static_cast<int>(word >> 52) - 1075};
}
TOROID_HOST_DEVICE constexpr wide_number product_of(double a, double b) {
    const wide_number x = unpacked(a);
    const wide_number y = unpacked(b);
    const wide_word product = multiply_words(x.low, y.low);
    return {product.high, product.low, x.exponent + y.exponent};
}
/// Nearest f64 of a nonzero normalised number.
TOROID_HOST_DEVICE constexpr double rounded(wide_number x) {
    // The result counts units of 2^unit, 72 bits above the exponent of a number in the normal range.
    const int unit = x.exponent + 72 > -1074 ? x.exponent + 72 : -1074;
    const wide_number kept = shifted_right(x, unit - x.exponent - 2);
    const std::uint64_t quotient = kept.low + 1u + (kept.low >> 2 & 1u);
    const std::uint64_t nearest = quotient >> 2;
    const std::uint64_t exponent = static_cast<std::uint64_t>(unit + 1074);
    if (exponent > 2046u) return infinity<double>();
    // The hidden bit of `nearest` adds one to the exponent field, and so does a carry out of the fraction.
    const std::uint64_t word = (exponent << 52) + nearest;
    return word >= format<double>::infinity ? infinity<double>() : from_word<double>(word);
}

TOROID_HOST_DEVICE constexpr double exact_multiply_add(double a, double b, double c) {
    constexpr std::uint64_t infinite = format<double>::infinity;
    const std::uint64_t product_sign = (to_word(a) ^ to_word(b)) & format<double>::sign;
    const std::uint64_t c_sign = to_word(c) & format<double>::sign;
    const std::uint64_t a_size = magnitude_word(a), b_size = magnitude_word(b), c_size = magnitude_word(c);
    if (is_nan(a) || is_nan(b) || is_nan(c)) return quiet_nan<double>();
    if (a_size == infinite || b_size == infinite) {
        if (a_size == 0 || b_size == 0 || (c_size == infinite && c_sign != product_sign)) return quiet_nan<double>();
        return from_word<double>(infinite | product_sign);
    }
    if (c_size == infinite) return c;
    if (a_size == 0 || b_size == 0) return c_size == 0 ? from_word<double>(product_sign & c_sign) : c;
    wide_number product = normalized(product_of(a, b));
    if (c_size == 0) return with_sign(rounded(product), from_word<double>(product_sign));
    wide_number addend = normalized(unpacked(c));
    if (product.exponent > addend.exponent) addend = shifted_right(addend, product.exponent - addend.exponent);
    else product = shifted_right(product, addend.exponent - product.exponent);
    const int exponent = product.exponent > addend.exponent ? product.exponent : addend.exponent;
    if (product_sign == c_sign) {
        const std::uint64_t low = product.low + addend.low;
        const std::uint64_t high = product.high + addend.high + (low < addend.low ? 1u : 0u);
        return with_sign(rounded(normalized({high, low, exponent})), c);
    }
    const bool product_larger = product.high > addend.high || (product.high == addend.high && product.low > addend.low);
    const wide_number large = product_larger ? product : addend;
    const wide_number small = product_larger ? addend : product;
    const wide_number difference = {large.high - small.high - (large.low < small.low ? 1u : 0u), large.low - small.low,
                                    exponent};
    if ((difference.high | difference.low) == 0) return 0.0;
    return with_sign(rounded(normalized(difference)), from_word<double>(product_larger ? product_sign : c_sign));
}

/// f64 of any f32: a constant expression may not convert NaN by arithmetic rules.
TOROID_HOST_DEVICE constexpr double widen(float x) { return is_nan(x) ? quiet_nan<double>() : static_cast<double>(x); }
TOROID_HOST_DEVICE constexpr float exact_multiply_add(float a, float b, float c) {
    constexpr std::uint32_t infinite = format<float>::infinity;
    if (magnitude_word(a) >= infinite || magnitude_word(b) >= infinite || magnitude_word(c) >= infinite)
        return narrow(exact_multiply_add(widen(a), widen(b), widen(c)));
    // The product is exact in f64. Rounding the sum to odd keeps what the second rounding needs to know.
    const double_double sum = two_sum(static_cast<double>(a) * b, c);
    const std::uint64_t word = to_word(sum.high);
    if (sum.low == 0.0 || (word & 1u) != 0) return narrow(sum.high);
    return narrow(from_word<double>((sum.low > 0.0) == (sum.high > 0.0) ? word + 1u : word - 1u));
}

} // namespace detail

/// a * b + c, correctly rounded. Compiles to one instruction where the target has it, else to a library call.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double fma(double a, double b, double c) {
    if (__builtin_is_constant_evaluated()) return detail::exact_multiply_add(a, b, c);
    return __builtin_fma(a, b, c);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float fma(float a, float b, float c) {
    if (__builtin_is_constant_evaluated()) return detail::exact_multiply_add(a, b, c);
    return __builtin_fmaf(a, b, c);
}

} // namespace toroid::math
