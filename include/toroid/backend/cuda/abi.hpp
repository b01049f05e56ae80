#pragma once
// abi: the inline namespace of everything that launches kernels. Its name carries the version of the library and the
// architectures that nvcc builds for, so that two libraries built for different ones can live in one process.

#include <toroid/core/config.hpp>

#if !defined(__CUDACC__)
#error "toroid E003: toroid/cuda.hpp needs nvcc: include it in a .cu file; a .cpp file includes toroid/toroid.hpp"
#elif !defined(__CUDA_ARCH_LIST__)
#error                                                                                                                 \
    "toroid E002: toroid/cuda.hpp needs the macro __CUDA_ARCH_LIST__ of nvcc (CUDA Toolkit 13), which says what it builds for"
#endif

// __CUDA_ARCH_LIST__ is a list such as 800,900; up to eight architectures are joined: v0_1_0_sm_800_900.
#define TOROID_CUDA_JOIN_8(a, b, c, d, e, f, g, h, ...) a##_##b##_##c##_##d##_##e##_##f##_##g##_##h
#define TOROID_CUDA_JOIN_7(a, b, c, d, e, f, g, ...) a##_##b##_##c##_##d##_##e##_##f##_##g
#define TOROID_CUDA_JOIN_6(a, b, c, d, e, f, ...) a##_##b##_##c##_##d##_##e##_##f
#define TOROID_CUDA_JOIN_5(a, b, c, d, e, ...) a##_##b##_##c##_##d##_##e
#define TOROID_CUDA_JOIN_4(a, b, c, d, ...) a##_##b##_##c##_##d
#define TOROID_CUDA_JOIN_3(a, b, c, ...) a##_##b##_##c
#define TOROID_CUDA_JOIN_2(a, b, ...) a##_##b
#define TOROID_CUDA_JOIN_1(a, ...) a
#define TOROID_CUDA_PICK(a, b, c, d, e, f, g, h, name, ...) name
#define TOROID_CUDA_JOIN(...)                                                                                          \
    TOROID_CUDA_PICK(__VA_ARGS__, TOROID_CUDA_JOIN_8, TOROID_CUDA_JOIN_7, TOROID_CUDA_JOIN_6, TOROID_CUDA_JOIN_5,      \
                     TOROID_CUDA_JOIN_4, TOROID_CUDA_JOIN_3, TOROID_CUDA_JOIN_2, TOROID_CUDA_JOIN_1, )                 \
    (__VA_ARGS__)
#define TOROID_CUDA_PASTE(a, b) a##b
#define TOROID_CUDA_NAME(architectures) TOROID_CUDA_PASTE(v0_1_0_sm_, architectures)
#define TOROID_CUDA_ABI TOROID_CUDA_NAME(TOROID_CUDA_JOIN(__CUDA_ARCH_LIST__))

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

static_assert(version_major == 0 && version_minor == 1 && version_patch == 0,
              "abi: the name of the inline namespace above carries another version than core/config.hpp");

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
