#pragma once
// Reduction of an angle to |rest| <= pi/4 and a quadrant, for sin, cos and tan.

#include <toroid/ops/math/bits.hpp>

namespace toroid::math::detail {

/// |x| = rest + (quadrant + 4k) * pi/2 for some integer k. Nothing is promised for infinity and NaN.
struct reduced_angle32 {
    double rest;
    std::uint32_t quadrant;
};
struct reduced_angle64 {
    double_double rest;
    std::uint64_t quadrant;
};

/// Reduction of an f32, the same work for every x: with |x| = m * 2^e and an integer m, only the bits of 2/pi from
/// e - 2 on matter to |x| * 2/pi mod 4. A 96-bit window of them leaves an error of 2^-61 quarter turns, where the f32
/// nearest to a multiple of pi/2 is 2^-30 away from it.
/// Source: M. Payne and R. Hanek, SIGNUM Newsletter 18 (1983).
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr reduced_angle32 reduce_angle(float x) {
    const std::uint32_t word = magnitude_word(x);
    const std::uint32_t exponent = word >> 23;
    const std::uint64_t significand = (word & 0x007fffffu) | 0x00800000u;
    // 2/pi after 32 zero bits, by words; the window begins at bit `exponent - 120`.
    constexpr std::uint64_t first = 0x00000000a2f9836eu;
    constexpr std::uint64_t second = 0x4e441529fc2757d1u;
    constexpr std::uint64_t third = 0xf534ddc0db629599u;
    constexpr std::uint64_t fourth = 0x3c439041fe5163abu;
    constexpr std::uint64_t fifth = 0xdebbc561b7246e3au;
    const std::uint64_t position = exponent - 120u;
    const std::uint64_t shift = position & 63u;
    const std::uint64_t beyond_first = std::uint64_t{0} - static_cast<std::uint64_t>(exponent >= 120u + 64u);
    const std::uint64_t beyond_second = std::uint64_t{0} - static_cast<std::uint64_t>(exponent >= 120u + 128u);
    const std::uint64_t a = first ^ ((first ^ second) & beyond_first) ^ ((second ^ third) & beyond_second);
    const std::uint64_t b = second ^ ((second ^ third) & beyond_first) ^ ((third ^ fourth) & beyond_second);
    const std::uint64_t c = third ^ ((third ^ fourth) & beyond_first) ^ ((fourth ^ fifth) & beyond_second);
    const std::uint64_t high = a << shift | b >> 1 >> (63u - shift);
    const std::uint64_t middle = b << shift | c >> 1 >> (63u - shift);
    // Fraction of a full turn, in units of 2^-64.
    const std::uint64_t turn = significand * high + (significand * (middle >> 32) >> 32);
    const std::uint64_t quadrant = (turn + (std::uint64_t{1} << 61)) >> 62;
    const double rest = static_cast<double>(static_cast<std::int64_t>(turn - (quadrant << 62))) * 0x1.921fb54442d18p-62;
    // Below 1/2 the angle is its own rest; the window would not reach far enough for its relative accuracy.
    const bool small = exponent < 126u;
    return {select(small, static_cast<double>(from_word<float>(word)), rest),
            static_cast<std::uint32_t>(quadrant) & (std::uint32_t{small} - 1u)};
}

/// Reduction of a finite f64 >= 1/2 by a 192-bit window of 2/pi (Payne and Hanek): error 2^-124 quarter turns, where
/// the f64 nearest to a multiple of pi/2 is 2^-62 away from it.
TOROID_HOST_DEVICE constexpr reduced_angle64 reduce_angle_by_window(double x) {
    // 2/pi after 64 zero bits; the window begins at bit `exponent - 1013`.
    constexpr std::uint64_t two_over_pi[] = {
        0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u,
        0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u,
        0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
        0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu};
    const std::uint64_t word = to_word(x);
    const std::uint64_t significand = (word & 0x000fffffffffffffu) | 0x0010000000000000u;
    const std::uint64_t position = (word >> 52) - 1013u;
    const std::uint64_t shift = position & 63u;
    std::uint64_t window[3] = {};
    for (int i = 0; i < 3; ++i) {
        const std::uint64_t* const source = two_over_pi + (position >> 6) + i;
        window[i] = source[0] << shift | source[1] >> 1 >> (63u - shift);
    }
    // Fraction of a full turn, in units of 2^-128.
    const wide_word second = multiply_words(significand, window[1]);
    std::uint64_t low = second.low + multiply_words(significand, window[2]).high;
    std::uint64_t high = significand * window[0] + second.high + (low < second.low ? 1u : 0u);
    const std::uint64_t quadrant = (high + (std::uint64_t{1} << 61)) >> 62;
    high -= quadrant << 62;
    const bool negative = high >> 63 != 0;
    if (negative) {
        low = ~low + 1u;
        high = ~high + (low == 0 ? 1u : 0u);
    }
    // Quarters of 32 bits are exact as f64; their sum keeps at least 54 bits.
    const double quarters[] = {
        static_cast<double>(high >> 32) * 0x1p-30, static_cast<double>(high & 0xffffffffu) * 0x1p-62,
        static_cast<double>(low >> 32) * 0x1p-94, static_cast<double>(low & 0xffffffffu) * 0x1p-126};
    const double_double leading = fast_two_sum(quarters[0], quarters[1]);
    const double_double turns = fast_two_sum(leading.high, leading.low + (quarters[2] + quarters[3]));
    const double_double rest = multiply(turns, double_double{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54});
    return {negative ? double_double{-rest.high, -rest.low} : rest, quadrant};
}

/// Reduction of an f64: three parts of pi/2 for the usual arguments, the window for those above 10^5 or too close to a
/// multiple of pi/2.
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr reduced_angle64 reduce_angle(double x) {
    const double size = magnitude(x);
    const bool usual = to_word(size) <= to_word(1e5);
    if (!usual) {
        if (to_word(size) >= format<double>::infinity) return {{0.0, 0.0}, 0};
        return reduce_angle_by_window(size);
    }
    const auto n = to_nearest(size * 0x1.45f306dc9c883p-1);
    // The first two products are exact, as they have 33 and 17 bits.
    const double difference = size - n.value * 0x1.921fb544p0;
    const double_double remainder = two_sum(difference, -(n.value * 0x1.0b4611a6p-34));
    const double_double rest = fast_two_sum(remainder.high, remainder.low - n.value * 0x1.3198a2e037073p-69);
    if (n.word != 0 && magnitude_word(rest.high) < to_word(0x1p-20)) return reduce_angle_by_window(size);
    return {rest, n.word & 3u};
}

} // namespace toroid::math::detail
