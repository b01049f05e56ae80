#pragma once
// Element types: the ten dtypes, their storage and compute types, and PyTorch's promotion rule.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <toroid/core/config.hpp>

namespace toroid {

/// Element type of a tensor, in the order of PyTorch's promotion lattice within each category.
enum class dtype : std::uint8_t { bool_, u8, i8, i16, i32, i64, f16, bf16, f32, f64 };

inline constexpr dtype boolean = dtype::bool_;
inline constexpr dtype u8 = dtype::u8;
inline constexpr dtype i8 = dtype::i8;
inline constexpr dtype i16 = dtype::i16;
inline constexpr dtype i32 = dtype::i32;
inline constexpr dtype i64 = dtype::i64;
inline constexpr dtype f16 = dtype::f16;
inline constexpr dtype bf16 = dtype::bf16;
inline constexpr dtype f32 = dtype::f32;
inline constexpr dtype f64 = dtype::f64;

inline constexpr int dtype_count = 10;

//=== half-precision storage ===//

/// IEEE 754 binary16 as storage. Arithmetic is done in f32.
/// Conversion from f32 rounds to nearest even; NaN stays NaN (quiet), overflow gives infinity, subnormals are kept.
struct float16 {
    std::uint16_t bits = 0;

    constexpr float16() = default;
    TOROID_HOST_DEVICE constexpr explicit float16(float value) : bits(from_float(value)) {}
    TOROID_HOST_DEVICE constexpr explicit operator float() const {
        // Shift exponent and mantissa into place, then rescale: exact for every finite value, subnormals included.
        const std::uint32_t magnitude = std::uint32_t{bits} << 13 & 0x0fffe000u;
        const std::uint32_t sign = std::uint32_t{bits} << 16 & 0x80000000u;
        const float scaled = __builtin_bit_cast(float, magnitude) * 0x1p112f;
        const std::uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
        return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, scaled) | special | sign);
    }
    TOROID_HOST_DEVICE static constexpr float16 from_bits(std::uint16_t bits) {
        float16 result;
        result.bits = bits;
        return result;
    }
    friend constexpr bool operator==(float16, float16) = default;

private:
    TOROID_HOST_DEVICE static constexpr std::uint16_t from_float(float value) {
        const std::uint32_t word = __builtin_bit_cast(std::uint32_t, value);
        const std::uint32_t sign = word >> 16 & 0x8000u;
        const std::uint32_t magnitude = word & 0x7fffffffu;
        // Normal range: rebias, round to nearest even on the 13 dropped bits.
        const std::uint32_t normal = (magnitude - 0x38000000u + 0x0fffu + (magnitude >> 13 & 1u)) >> 13;
        // Subnormal range: adding 0.5 leaves the rounded mantissa in the low bits.
        const float shifted = __builtin_bit_cast(float, magnitude < 0x38800000u ? magnitude : 0u) + 0.5f;
        const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, shifted) - 0x3f000000u;
        std::uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
        result = magnitude >= 0x477ff000u ? 0x7c00u : result;
        result = magnitude > 0x7f800000u ? 0x7e00u : result;
        return static_cast<std::uint16_t>(result | sign);
    }
};

/// bfloat16 (the upper half of an f32) as storage. Arithmetic is done in f32; conversion rounds to nearest even.
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    TOROID_HOST_DEVICE constexpr explicit bfloat16(float value) : bits(from_float(value)) {}
    TOROID_HOST_DEVICE constexpr explicit operator float() const {
        return __builtin_bit_cast(float, std::uint32_t{bits} << 16);
    }
    TOROID_HOST_DEVICE static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 result;
        result.bits = bits;
        return result;
    }
    friend constexpr bool operator==(bfloat16, bfloat16) = default;

private:
    TOROID_HOST_DEVICE static constexpr std::uint16_t from_float(float value) {
        const std::uint32_t word = __builtin_bit_cast(std::uint32_t, value);
        const std::uint32_t rounded = (word + 0x7fffu + (word >> 16 & 1u)) >> 16;
        const std::uint32_t quiet = word >> 16 | 0x0040u;
        return static_cast<std::uint16_t>((word & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
    }
};

//=== facts ===//

// clang-format off
namespace detail {
template <dtype T> struct storage;
template <> struct storage<dtype::bool_> { using type = bool; };
template <> struct storage<dtype::u8> { using type = std::uint8_t; };
template <> struct storage<dtype::i8> { using type = std::int8_t; };
template <> struct storage<dtype::i16> { using type = std::int16_t; };
template <> struct storage<dtype::i32> { using type = std::int32_t; };
template <> struct storage<dtype::i64> { using type = std::int64_t; };
template <> struct storage<dtype::f16> { using type = float16; };
template <> struct storage<dtype::bf16> { using type = bfloat16; };
template <> struct storage<dtype::f32> { using type = float; };
template <> struct storage<dtype::f64> { using type = double; };

template <dtype T> struct compute { using type = typename storage<T>::type; };
template <> struct compute<dtype::f16> { using type = float; };
template <> struct compute<dtype::bf16> { using type = float; };
} // namespace detail
// clang-format on

/// C++ type of one stored element.
template <dtype T> using storage_t = typename detail::storage<T>::type;

/// C++ type in which a kernel computes with elements of `T`: f32 for f16 and bf16, else the storage type.
template <dtype T> using compute_t = typename detail::compute<T>::type;

TOROID_HOST_DEVICE constexpr int size_of(dtype type) {
    switch (type) {
    case dtype::bool_:
    case dtype::u8:
    case dtype::i8: return 1;
    case dtype::i16:
    case dtype::f16:
    case dtype::bf16: return 2;
    case dtype::i32:
    case dtype::f32: return 4;
    case dtype::i64:
    case dtype::f64: return 8;
    }
    return 0;
}

TOROID_HOST_DEVICE constexpr bool is_floating(dtype type) { return type >= dtype::f16; }
TOROID_HOST_DEVICE constexpr bool is_integral(dtype type) { return type > dtype::bool_ && type < dtype::f16; }
TOROID_HOST_DEVICE constexpr bool is_boolean(dtype type) { return type == dtype::bool_; }
/// f16 and bf16: stored in two bytes, computed in f32.
TOROID_HOST_DEVICE constexpr bool is_half(dtype type) { return type == dtype::f16 || type == dtype::bf16; }

/// Name as the library spells it: "f32", "bool".
constexpr std::string_view name_of(dtype type) {
    constexpr std::string_view names[] = {"bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
    return names[static_cast<int>(type)];
}

//=== promotion ===//

/// Result dtype of an operator on two tensors (torch.promote_types).
/// Source: PyTorch, "Tensor Attributes: torch.dtype", type promotion table.
TOROID_HOST_DEVICE constexpr dtype promote(dtype a, dtype b) {
    if (a == b) return a;
    const dtype low = a < b ? a : b;
    const dtype high = a < b ? b : a;
    if (low == dtype::u8 && high == dtype::i8) return dtype::i16;
    if (low == dtype::f16 && high == dtype::bf16) return dtype::f32;
    return high;
}

/// Result dtype of an operator on a tensor and a C++ number: the number only raises the category
/// (bool < integral < floating), as a Python scalar does in PyTorch. An integer tensor with a floating number gives f32.
TOROID_HOST_DEVICE constexpr dtype promote_scalar(dtype tensor_type, dtype scalar_type) {
    if (is_floating(scalar_type) && !is_floating(tensor_type)) return dtype::f32;
    if (is_integral(scalar_type) && is_boolean(tensor_type)) return dtype::i64;
    return tensor_type;
}

/// dtype of a C++ arithmetic type; unsigned types without a dtype of their own count as the next wider signed one.
// clang-format off
template <class T> struct dtype_of_t;
template <> struct dtype_of_t<bool> { static constexpr dtype value = dtype::bool_; };
template <> struct dtype_of_t<std::uint8_t> { static constexpr dtype value = dtype::u8; };
template <> struct dtype_of_t<std::int8_t> { static constexpr dtype value = dtype::i8; };
template <> struct dtype_of_t<std::int16_t> { static constexpr dtype value = dtype::i16; };
template <> struct dtype_of_t<std::int32_t> { static constexpr dtype value = dtype::i32; };
template <> struct dtype_of_t<long> { static constexpr dtype value = dtype::i64; };
template <> struct dtype_of_t<long long> { static constexpr dtype value = dtype::i64; };
template <> struct dtype_of_t<char> : dtype_of_t<std::int8_t> {};
template <> struct dtype_of_t<std::uint16_t> { static constexpr dtype value = dtype::i32; };
template <> struct dtype_of_t<std::uint32_t> { static constexpr dtype value = dtype::i64; };
template <> struct dtype_of_t<unsigned long> { static constexpr dtype value = dtype::i64; };
template <> struct dtype_of_t<unsigned long long> { static constexpr dtype value = dtype::i64; };
template <> struct dtype_of_t<long double> { static constexpr dtype value = dtype::f64; };
template <> struct dtype_of_t<float16> { static constexpr dtype value = dtype::f16; };
template <> struct dtype_of_t<bfloat16> { static constexpr dtype value = dtype::bf16; };
template <> struct dtype_of_t<float> { static constexpr dtype value = dtype::f32; };
template <> struct dtype_of_t<double> { static constexpr dtype value = dtype::f64; };
// clang-format on
template <class T> inline constexpr dtype dtype_of = dtype_of_t<T>::value;

} // namespace toroid
