#pragma once
// vector: several neighbouring elements in one memory access, and their conversion from and to compute values.

#include <cuda_runtime.h>
#include <vector_types.h>

#include <cstdint>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/core/dtype.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Widest access of a thread, in bytes.
inline constexpr int widest_access = 16;

namespace detail {

template <int Bytes> struct word;
template <> struct word<1> {
    using type = std::uint8_t;
};
template <> struct word<2> {
    using type = std::uint16_t;
};
template <> struct word<4> {
    using type = std::uint32_t;
};
template <> struct word<8> {
    using type = uint2;
};
template <> struct word<16> {
    using type = uint4;
};

} // namespace detail

/// `Count` stored elements in registers, moved in accesses of up to 16 bytes. Addresses are multiples of the access.
template <class Stored, int Count> struct elements {
    static constexpr int bytes = Count * static_cast<int>(sizeof(Stored));
    static constexpr int access = bytes < widest_access ? bytes : widest_access;
    static constexpr int accesses = bytes / access;
    using word = typename detail::word<access>::type;

    alignas(access) Stored values[Count];

    /// `Passing` elements are read once: they leave the caches to what is read again.
    template <bool Passing> __device__ __forceinline__ void load(const Stored* p) {
#pragma unroll
        for (int i = 0; i < accesses; ++i) {
            const word* from = reinterpret_cast<const word*>(p) + i;
            const word w = Passing ? __ldcs(from) : *from;
            __builtin_memcpy(values + i * (Count / accesses), &w, access);
        }
    }
    __device__ __forceinline__ void store(Stored* p) const {
#pragma unroll
        for (int i = 0; i < accesses; ++i) {
            word w;
            __builtin_memcpy(&w, values + i * (Count / accesses), access);
            __stcs(reinterpret_cast<word*>(p) + i, w);
        }
    }
    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < Count; ++i) values[i] = Stored();
    }
};

/// Stored elements of compute values. f16 and bf16 are rounded to nearest even, two at a time.
template <dtype T, int Count>
__device__ __forceinline__ elements<storage_t<T>, Count> pack(const compute_t<T> (&x)[Count]) {
    elements<storage_t<T>, Count> result;
    if constexpr (is_half(T)) {
#pragma unroll
        for (int i = 0; i + 1 < Count; i += 2) {
            std::uint32_t pair;
            if constexpr (T == dtype::bf16)
                asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x[i + 1]), "f"(x[i]));
            else asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x[i + 1]), "f"(x[i]));
            __builtin_memcpy(result.values + i, &pair, 4);
        }
        if constexpr (Count % 2 != 0) {
            std::uint32_t pair;
            if constexpr (T == dtype::bf16)
                asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(x[Count - 1]));
            else asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(x[Count - 1]));
            const auto half = static_cast<std::uint16_t>(pair);
            __builtin_memcpy(result.values + Count - 1, &half, 2);
        }
    } else {
#pragma unroll
        for (int i = 0; i < Count; ++i) result.values[i] = x[i];
    }
    return result;
}

/// Element `L` of a vector as a compute value: for halves, one instruction on the 32-bit word that holds a pair.
template <dtype T, int L, int Count>
__device__ __forceinline__ compute_t<T> unpack(const elements<storage_t<T>, Count>& x) {
    if constexpr (is_half(T) && Count % 2 == 0) {
        std::uint32_t pair;
        __builtin_memcpy(&pair, x.values + L / 2 * 2, 4);
        if constexpr (T == dtype::bf16) return __uint_as_float(L % 2 == 0 ? pair << 16 : pair & 0xffff0000u);
        float result;
        if constexpr (L % 2 == 0)
            asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}" : "=f"(result) : "r"(pair));
        else asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high;}" : "=f"(result) : "r"(pair));
        return result;
    } else if constexpr (is_half(T)) {
        std::uint16_t bits;
        __builtin_memcpy(&bits, x.values + L, 2);
        if constexpr (T == dtype::bf16) return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
        float result;
        asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
        return result;
    } else {
        return x.values[L];
    }
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
