#pragma once
// Test helper: bitwise comparison in constant expressions, and the largest error of a function in ULP.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace test_math {

inline constexpr float infinity32 = std::numeric_limits<float>::infinity();
inline constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();
inline constexpr double infinity64 = std::numeric_limits<double>::infinity();
inline constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();

/// The same number with the same sign, or both NaN.
constexpr bool same(float a, float b) {
    const auto x = __builtin_bit_cast(std::uint32_t, a);
    const auto y = __builtin_bit_cast(std::uint32_t, b);
    return x == y || ((x & 0x7fffffffu) > 0x7f800000u && (y & 0x7fffffffu) > 0x7f800000u);
}
constexpr bool same(double a, double b) {
    const auto x = __builtin_bit_cast(std::uint64_t, a);
    const auto y = __builtin_bit_cast(std::uint64_t, b);
    constexpr std::uint64_t infinite = 0x7ff0000000000000u;
    return x == y || ((x << 1) > infinite << 1 && (y << 1) > infinite << 1);
}

/// What a wrong NaN, infinity, sign or zero counts as.
inline constexpr double wrong = 1e9;

/// |result - expected| in units of the last place of Float at `expected`.
template <typename Float, typename Wide> double ulp_error(Float result, Wide expected) {
    using limits = std::numeric_limits<Float>;
    const Float nearest = static_cast<Float>(expected);
    if (same(result, nearest) && (std::isnan(result) || std::isinf(result))) return 0.0;
    if (std::isnan(expected) || std::isnan(result) || std::isinf(expected)) return wrong;
    if (std::signbit(result) != std::signbit(expected)) return wrong;
    if (expected == 0) return result == 0 ? 0.0 : wrong;
    int exponent = 0;
    std::frexp(expected, &exponent);
    const int last = std::max(exponent, limits::min_exponent) - limits::digits;
    // An infinite result stands for the number after the largest finite one.
    const Wide value = std::isinf(result) ? std::copysign(std::ldexp(Wide(1), limits::max_exponent), Wide(result))
                                          : static_cast<Wide>(result);
    return static_cast<double>(std::fabs(value - expected) / std::ldexp(Wide(1), last));
}

/// Calls `visit` with 2^20 f32 of every sign and exponent, and with the special ones.
template <typename Visit> void for_f32_samples(Visit visit) {
    for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 4093)
        visit(__builtin_bit_cast(float, static_cast<std::uint32_t>(word)));
    for (const std::uint32_t size :
         {0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u, 0x3effffffu, 0x3f000000u, 0x3f7fffffu, 0x3f800000u,
          0x3f800001u, 0x40490fdbu, 0x4b000000u, 0x4b7fffffu, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x7f800001u}) {
        visit(__builtin_bit_cast(float, size));
        visit(__builtin_bit_cast(float, size | 0x80000000u));
    }
}

/// Calls `visit` with 10^5 f64: any word, moderate magnitudes, numbers around 1, and the special ones.
template <typename Visit> void for_f64_samples(Visit visit) {
    std::mt19937_64 random(20240229);
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t word = random();
        const double fraction = static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-63;
        switch (i % 4) {
        case 0: visit(__builtin_bit_cast(double, word)); break;
        case 1: visit(fraction * 1000.0); break;
        case 2: visit(std::ldexp(fraction, static_cast<int>(random() % 32) - 24)); break;
        default: visit(1.0 + std::ldexp(fraction, -static_cast<int>(random() % 40))); break;
        }
    }
    for (const double size : {0.0,
                              5e-324,
                              1e-310,
                              0x1p-1022,
                              0x1p-54,
                              0.5,
                              1.0,
                              1.5,
                              2.5,
                              0x1p52,
                              0x1.fffffffffffffp1023,
                              709.782712893384,
                              709.7827128933841,
                              745.1332191019411,
                              745.1332191019412,
                              26.5,
                              27.3,
                              1.5707963267948966,
                              1e22,
                              6381956970095103.0 * 0x1p797,
                              infinity64,
                              nan64}) {
        visit(size);
        visit(-size);
    }
}

/// Largest error of an f32 function against an f64 reference.
template <typename Function, typename Reference> double max_error_f32(Function function, Reference reference) {
    double largest = 0.0;
    for_f32_samples([&](float x) {
        const double error = ulp_error(function(x), reference(static_cast<double>(x)));
        if (error > largest) largest = error;
    });
    return largest;
}

/// Largest error of an f64 function against a long double reference.
template <typename Function, typename Reference> double max_error_f64(Function function, Reference reference) {
    double largest = 0.0;
    for_f64_samples([&](double x) {
        const double error = ulp_error(function(x), reference(static_cast<long double>(x)));
        if (error > largest) largest = error;
    });
    return largest;
}

} // namespace test_math
