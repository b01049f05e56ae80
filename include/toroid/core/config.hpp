#pragma once
// The one macro of the library, its version and the compiler floor. Includes nothing of Toroid.

// TOROID_HOST_DEVICE exists where the compiler will do. toroid.hpp includes the rest only then, so that one #error is all
// that it says.
#if !defined(__cplusplus) || __cplusplus < 202002L
#error "toroid E001: needs C++20: compile with -std=c++20 (CMake: target_link_libraries(... toroid::toroid) sets it)"
#elif defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 13
#error "toroid E002: needs CUDA Toolkit 13 or newer (nvcc 13 is the oldest tested release)"
#elif !defined(__CUDACC__) && defined(__clang__) && __clang_major__ < 16 && !defined(__clang_analyzer__)
#error "toroid E002: needs clang 16 or newer (class-type template parameters of C++20)"
#elif !defined(__CUDACC__) && !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#error "toroid E002: needs g++ 12 or newer"
#elif !defined(__clang__) && !defined(__GNUC__)
#error "toroid E002: needs g++ 12, clang 16 or nvcc 13, or newer"
#elif defined(__CUDACC__)
#define TOROID_HOST_DEVICE __host__ __device__
#else
#define TOROID_HOST_DEVICE
#endif

namespace toroid {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

/// Largest rank of a tensor.
inline constexpr int max_rank = 8;

} // namespace toroid
