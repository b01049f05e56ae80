// Element types: facts, PyTorch's promotion table, and the conversions of f16 and bf16 over every pattern.

#include <toroid/core/dtype.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include <doctest/doctest.h>

using namespace toroid;

namespace {

//=== facts ===//

static_assert(size_of(boolean) == 1 && size_of(u8) == 1 && size_of(i8) == 1 && size_of(i16) == 2 && size_of(i32) == 4);
static_assert(size_of(i64) == 8 && size_of(f16) == 2 && size_of(bf16) == 2 && size_of(f32) == 4 && size_of(f64) == 8);
static_assert(is_boolean(boolean) && !is_integral(boolean) && !is_floating(boolean));
static_assert(is_integral(u8) && is_integral(i64) && !is_integral(f16) && is_floating(f16) && is_floating(f64) &&
              !is_floating(i64));
static_assert(is_half(f16) && is_half(bf16) && !is_half(f32) && !is_half(i16));
static_assert(name_of(boolean) == "bool" && name_of(u8) == "u8" && name_of(bf16) == "bf16" && name_of(f64) == "f64");
static_assert(std::is_same_v<storage_t<f16>, float16> && std::is_same_v<storage_t<i64>, std::int64_t>);
static_assert(std::is_same_v<compute_t<f16>, float> && std::is_same_v<compute_t<bf16>, float>);
static_assert(std::is_same_v<compute_t<boolean>, bool> && std::is_same_v<compute_t<f64>, double>);
static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);
static_assert(dtype_of<bool> == boolean && dtype_of<int> == i32 && dtype_of<long> == i64 && dtype_of<long long> == i64);
static_assert(dtype_of<float> == f32 && dtype_of<double> == f64 && dtype_of<float16> == f16 &&
              dtype_of<std::uint8_t> == u8);

constexpr bool storage_has_the_stated_size() {
    return sizeof(storage_t<boolean>) == 1 && sizeof(storage_t<i16>) == 2 && sizeof(storage_t<f32>) == 4 &&
           sizeof(storage_t<f64>) == 8 && sizeof(storage_t<bf16>) == 2 && sizeof(storage_t<i8>) == 1;
}
static_assert(storage_has_the_stated_size());

//=== promotion: the table of PyTorch's documentation, row by row ===//

constexpr dtype all[dtype_count] = {boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64};
constexpr dtype table[dtype_count][dtype_count] = {
    //            bool     u8    i8    i16   i32   i64   f16   bf16  f32   f64
    /* bool */ {boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64},
    /* u8   */ {u8, u8, i16, i16, i32, i64, f16, bf16, f32, f64},
    /* i8   */ {i8, i16, i8, i16, i32, i64, f16, bf16, f32, f64},
    /* i16  */ {i16, i16, i16, i16, i32, i64, f16, bf16, f32, f64},
    /* i32  */ {i32, i32, i32, i32, i32, i64, f16, bf16, f32, f64},
    /* i64  */ {i64, i64, i64, i64, i64, i64, f16, bf16, f32, f64},
    /* f16  */ {f16, f16, f16, f16, f16, f16, f16, f32, f32, f64},
    /* bf16 */ {bf16, bf16, bf16, bf16, bf16, bf16, f32, bf16, f32, f64},
    /* f32  */ {f32, f32, f32, f32, f32, f32, f32, f32, f32, f64},
    /* f64  */ {f64, f64, f64, f64, f64, f64, f64, f64, f64, f64},
};
constexpr int promotions_that_differ() {
    int count = 0;
    for (int a = 0; a < dtype_count; ++a)
        for (int b = 0; b < dtype_count; ++b) count += promote(all[a], all[b]) != table[a][b];
    return count;
}
static_assert(promotions_that_differ() == 0);

// A number raises the category of a tensor, never its width.
static_assert(promote_scalar(f16, f64) == f16 && promote_scalar(f32, f64) == f32 && promote_scalar(u8, i64) == u8);
static_assert(promote_scalar(i32, f32) == f32 && promote_scalar(i64, f64) == f32 &&
              promote_scalar(boolean, f64) == f32);
static_assert(promote_scalar(boolean, i32) == i64 && promote_scalar(boolean, boolean) == boolean);
static_assert(promote_scalar(f64, i32) == f64 && promote_scalar(i8, boolean) == i8 &&
              promote_scalar(bf16, boolean) == bf16);

//=== half precision in constant evaluation ===//

static_assert(float16(1.0f).bits == 0x3c00 && float16(-2.0f).bits == 0xc000 && float16(65504.0f).bits == 0x7bff);
static_assert(float16(65519.996f).bits == 0x7bff && float16(65520.0f).bits == 0x7c00); // the tie goes to infinity
static_assert(float16(0x1p-24f).bits == 1 && float16(0x1p-25f).bits == 0 && float16(0x1.8p-24f).bits == 2);
static_assert(float16(0x1.000002p-25f).bits == 1 && float16(-0.0f).bits == 0x8000 && float16(0x1p-149f).bits == 0);
static_assert(float16(1.0f + 0x1p-11f).bits == 0x3c00 && float16(1.0f + 0x1.8p-10f).bits == 0x3c02);
static_assert(static_cast<float>(float16::from_bits(1)) == 0x1p-24f &&
              static_cast<float>(float16::from_bits(0x03ff)) == 0x1.ff8p-15f);
static_assert(bfloat16(1.0f).bits == 0x3f80 && bfloat16(0x1.01p0f).bits == 0x3f80 &&
              bfloat16(0x1.03p0f).bits == 0x3f82);
static_assert(bfloat16(std::numeric_limits<float>::max()).bits == 0x7f80 && bfloat16(0x1p-149f).bits == 0);
static_assert(bfloat16(0x1p-133f).bits == 1 && bfloat16(-0.0f).bits == 0x8000);

//=== an independent formula: search the representable neighbours in double ===//

/// Value of a finite pattern with `mantissa` fraction bits and exponent bias `bias`, by the definition of IEEE 754.
double value_of(unsigned bits, int mantissa, int bias) {
    const unsigned fraction = bits & ((1u << mantissa) - 1);
    const int exponent = static_cast<int>((bits & 0x7fffu) >> mantissa);
    const double scale = std::ldexp(1.0, (exponent == 0 ? 1 : exponent) - bias - mantissa);
    const double magnitude = (exponent == 0 ? fraction : fraction + (1u << mantissa)) * scale;
    return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

/// Rounds to nearest even by bisecting the patterns, which are ordered like their values.
unsigned rounded(float x, int mantissa, int bias) {
    const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
    const unsigned infinity = (0x7fffu >> mantissa) << mantissa;
    const double magnitude = std::fabs(static_cast<double>(x));
    unsigned low = 0;
    unsigned high = infinity; // as a value: the next power of two beyond the largest finite number
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (value_of(middle, mantissa, bias) <= magnitude ? low : high) = middle;
    }
    const double below = magnitude - value_of(low, mantissa, bias);
    const double above = value_of(high, mantissa, bias) - magnitude;
    if (below < above) return sign | low;
    if (above < below) return sign | high;
    return sign | (low % 2 == 0 ? low : high);
}

template <class Half> int wrong_conversions(int mantissa, int bias, float x) {
    const unsigned got = Half(x).bits;
    if (std::isnan(x)) return !(std::isnan(static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(got)))));
    return got != rounded(x, mantissa, bias);
}

template <class Half> void check_half(int mantissa, int bias) {
    int wrong = 0;
    const unsigned infinity = (0x7fffu >> mantissa) << mantissa;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const Half h = Half::from_bits(static_cast<std::uint16_t>(bits));
        const float x = static_cast<float>(h);
        if ((bits & 0x7fffu) > infinity) {
            wrong += !std::isnan(x) || !std::isnan(static_cast<float>(Half(x)));
            continue;
        }
        if ((bits & 0x7fffu) == infinity) wrong += !(std::isinf(x) && std::signbit(x) == (bits >= 0x8000u));
        else wrong += static_cast<double>(x) != value_of(bits, mantissa, bias) || std::signbit(x) != (bits >= 0x8000u);
        wrong += Half(x).bits != bits; // there and back
        // Both sides of the pattern, and of the tie between it and the next one.
        if ((bits & 0x7fffu) + 1 >= infinity) continue;
        const float next = static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(bits + 1)));
        const float tie = static_cast<float>((static_cast<double>(x) + static_cast<double>(next)) / 2);
        for (const float y : {tie, std::nextafter(tie, x), std::nextafter(tie, next), std::nextafter(x, next)})
            wrong += wrong_conversions<Half>(mantissa, bias, y);
    }
    CHECK(wrong == 0);
    std::mt19937 random(7);
    for (int i = 0; i < 200000; ++i)
        wrong += wrong_conversions<Half>(mantissa, bias, std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    for (const float x : {3.4028235e38f, -3.4028235e38f, std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 65519.996f,
                          65520.0f, 0x1.fefffep127f, 0x1.ffp127f, 0x1.fep127f, 1e-45f, -1e-45f, 0.0f, -0.0f})
        wrong += wrong_conversions<Half>(mantissa, bias, x);
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("f16: every pattern, every tie, random floats") { check_half<float16>(10, 15); }

TEST_CASE("bf16: every pattern, every tie, random floats") { check_half<bfloat16>(7, 127); }

TEST_CASE("a NaN stays NaN, quiet, with its sign, even if its payload sits in the dropped bits") {
    const float hidden = std::bit_cast<float>(0x7f800001u);
    const float negative = std::bit_cast<float>(0xff800001u);
    CHECK(std::isnan(static_cast<float>(float16(hidden))));
    CHECK(std::isnan(static_cast<float>(bfloat16(hidden))));
    CHECK((bfloat16(hidden).bits & 0x40u) != 0);
    CHECK((float16(hidden).bits & 0x200u) != 0);
    CHECK(float16(negative).bits >= 0x8000u);
    CHECK(bfloat16(negative).bits >= 0x8000u);
}

TEST_CASE("promotion is symmetric and idempotent") {
    CHECK(promotions_that_differ() == 0);
    for (const dtype a : all)
        for (const dtype b : all) {
            CHECK(promote(a, b) == promote(b, a));
            CHECK(promote(promote(a, b), b) == promote(a, b));
        }
}
