#pragma once
// Bit-level helpers of the scalar math headers: words, branch-free selection, powers of two.

#include <cstdint>

#include <toroid/core/config.hpp>

// How the formulas of this folder are written
// -------------------------------------------
// The same function serves loops (it must inline and vectorise) and constant expressions, hence:
// - no branches on data: both sides are computed and `select` merges words, which compilers turn into vector blends
//   even where floating-point traps are assumed to be observable;
// - special values are recognised by comparing words: a constant expression may not compare with NaN (g++), nor compute
//   a NaN, overflow (g++, clang) or underflow (nvcc). What a loop gets for free from IEEE arithmetic is decided first,
//   under `__builtin_is_constant_evaluated()`;
// - argument reductions subtract exact products and no formula needs a fused multiply-add, so contraction of a*b+c
//   may change a last bit but no bound.
// The compiler builtins are used instead of their std:: wrappers since nvcc takes those for host-only functions.
// Polynomial coefficients are minimax (Remez exchange) on the interval named next to them.
namespace toroid::math::detail {

template <typename Float> struct format;
template <> struct format<float> {
    using word = std::uint32_t;
    static constexpr int fraction_bits = 23;
    static constexpr word sign = 0x80000000u;
    static constexpr word infinity = 0x7f800000u;
    static constexpr word quiet_nan = 0x7fc00000u;
    static constexpr word bias = 127;
    static constexpr float integral_from = 0x1p23f; // every number of at least this magnitude is an integer
    static constexpr float shifter = 0x1.8p23f; // x + shifter has x, rounded to an integer, in its low bits
    static constexpr float tiny = 0x1p-30f; // terms of second order vanish, those of third do not underflow
};
template <> struct format<double> {
    using word = std::uint64_t;
    static constexpr int fraction_bits = 52;
    static constexpr word sign = 0x8000000000000000u;
    static constexpr word infinity = 0x7ff0000000000000u;
    static constexpr word quiet_nan = 0x7ff8000000000000u;
    static constexpr word bias = 1023;
    static constexpr double largest = 0x1.fffffffffffffp1023;
    static constexpr double integral_from = 0x1p52;
    static constexpr double shifter = 0x1.8p52;
    static constexpr double tiny = 0x1p-60;
};
template <typename Float> using word_of = typename format<Float>::word;

template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr word_of<Float> to_word(Float x) {
    return __builtin_bit_cast(word_of<Float>, x);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float from_word(word_of<Float> word) {
    return __builtin_bit_cast(Float, word);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr word_of<Float> magnitude_word(Float x) {
    return to_word(x) & ~format<Float>::sign;
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float magnitude(Float x) {
    return from_word<Float>(magnitude_word(x));
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float with_sign(Float size, Float sign) {
    return from_word<Float>(magnitude_word(size) | (to_word(sign) & format<Float>::sign));
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool is_nan(Float x) {
    return magnitude_word(x) > format<Float>::infinity;
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float infinity() {
    return from_word<Float>(format<Float>::infinity);
}
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float quiet_nan() {
    return from_word<Float>(format<Float>::quiet_nan);
}

/// The bits of `yes` where `mask` has ones, else those of `no`.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float blend(word_of<Float> mask, Float yes, Float no) {
    return from_word<Float>((to_word(yes) & mask) | (to_word(no) & ~mask));
}
/// `condition ? yes : no` without a branch.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float select(bool condition, Float yes, Float no) {
    return blend(word_of<Float>{0} - static_cast<word_of<Float>>(condition), yes, no);
}

/// `x` limited to [low, high]; NaN stays NaN.
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float clamp(Float x, Float low, Float high) {
    const Float raised = select(x < low, low, x);
    return select(raised > high, high, raised);
}

/// Polynomial c[0] + c[1] x + ... by Horner's rule.
template <typename Float, typename... Rest>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float polynomial(Float x, Float first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0) return first;
    else return first + x * polynomial(x, rest...);
}

/// High and low word of a product.
struct wide_word {
    std::uint64_t high;
    std::uint64_t low;
};
TOROID_HOST_DEVICE constexpr wide_word multiply_words(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a_low = a & 0xffffffffu, a_high = a >> 32;
    const std::uint64_t b_low = b & 0xffffffffu, b_high = b >> 32;
    const std::uint64_t low = a_low * b_low;
    const std::uint64_t middle = a_high * b_low + (low >> 32);
    const std::uint64_t cross = a_low * b_high + (middle & 0xffffffffu);
    return {a_high * b_high + (middle >> 32) + (cross >> 32), cross << 32 | (low & 0xffffffffu)};
}

//=== powers of two ===//

/// Nearest integer of |x| < 2^(fraction_bits - 2): as a value, and as a word that wraps when negative.
template <typename Float> struct nearest_integer {
    Float value;
    word_of<Float> word;
};
template <typename Float>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr nearest_integer<Float> to_nearest(Float x) {
    constexpr Float shift = format<Float>::shifter;
    const Float shifted = x + shift;
    return {shifted - shift, to_word(shifted) - to_word(shift)};
}

/// 2^n of a normal result; `n` wraps when negative.
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float power_of_two(word_of<Float> n) {
    return from_word<Float>((n + format<Float>::bias) << format<Float>::fraction_bits);
}

/// significand / 2^shift, rounded to nearest even.
TOROID_HOST_DEVICE constexpr std::uint64_t rounded_shift(std::uint64_t significand, int shift) {
    if (shift > 60) return 0;
    const std::uint64_t quotient = significand >> shift;
    const std::uint64_t rest = significand - (quotient << shift);
    const std::uint64_t half = std::uint64_t{1} << shift >> 1;
    return quotient + (rest > half || (rest == half && (quotient & 1u) != 0) ? 1u : 0u);
}
/// x * 2^n of a positive normal x, on words.
template <typename Float> TOROID_HOST_DEVICE constexpr Float scale_word(Float x, word_of<Float> n) {
    using word = word_of<Float>;
    constexpr int bits = format<Float>::fraction_bits;
    constexpr word hidden = word{1} << bits;
    const word fraction = to_word(x) & (hidden - 1u);
    const int exponent = static_cast<int>(to_word(x) >> bits) + static_cast<int>(n);
    if (exponent > static_cast<int>(2 * format<Float>::bias)) return infinity<Float>();
    if (exponent > 0) return from_word<Float>(static_cast<word>(exponent) << bits | fraction);
    return from_word<Float>(static_cast<word>(rounded_shift(hidden | fraction, 1 - exponent)));
}

/// x * 2^n with one rounding, for x in [1/2, 2] and results from zero to infinity; `n` wraps when negative.
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr Float scale(Float x, word_of<Float> n) {
    if (__builtin_is_constant_evaluated()) return scale_word(x, n);
    // Two steps, since 2^n itself may be no normal number. The shift that halves n is unsigned: not every vector unit
    // has the other.
    const word_of<Float> half = ((n + 4096u) >> 1) - 2048u;
    return x * power_of_two<Float>(half) * power_of_two<Float>(n - half);
}

/// Nearest f32, also in constant expressions where it is infinite, subnormal or zero.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr float narrow(double x) {
    if (__builtin_is_constant_evaluated()) {
        constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
        const std::uint64_t size = magnitude_word(x);
        const std::uint32_t sign = static_cast<std::uint32_t>(to_word(x) >> 32) & 0x80000000u;
        if (is_nan(x)) return quiet_nan<float>();
        if (size >= to_word(0x1.ffffffp127)) return from_word<float>(format<float>::infinity | sign);
        if (size < to_word(0x1p-126)) {
            const std::uint64_t significand = size < hidden ? 0u : (size & (hidden - 1u)) | hidden;
            const std::uint64_t units = rounded_shift(significand, 926 - static_cast<int>(size >> 52));
            return from_word<float>(static_cast<std::uint32_t>(units) | sign);
        }
    }
    return static_cast<float>(x);
}

/// Whether |x| is so small that only the first term of a power series counts.
template <typename Float> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool is_tiny(Float x) {
    constexpr Float limit = format<Float>::tiny;
    return magnitude_word(x) < to_word(limit);
}

//=== double-length arithmetic ===//

/// Unevaluated sum of two doubles.
struct double_double {
    double high;
    double low;
};

/// Exact a + b for |a| >= |b| or a == 0.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double_double fast_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

/// Exact a + b.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double_double two_sum(double a, double b) {
    const double sum = a + b;
    const double b_part = sum - a;
    return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// `x` with the low 27 bits of its fraction cleared: products of two such numbers are exact.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double upper_half(double x) {
    return from_word<double>(to_word(x) & 0xfffffffff8000000u);
}

/// a * b to about 2^-78, from partial products of which the leading one is exact, so that contraction cannot harm it.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double_double multiply(double a, double b) {
    const double a_high = upper_half(a);
    const double b_high = upper_half(b);
    const double a_low = a - a_high;
    const double b_low = b - b_high;
    return fast_two_sum(a_high * b_high, (a_high * b_low + a_low * b_high) + a_low * b_low);
}
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr double_double multiply(double_double a, double_double b) {
    const double_double product = multiply(a.high, b.high);
    return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

} // namespace toroid::math::detail
