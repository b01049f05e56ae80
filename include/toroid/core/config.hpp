#pragma once
// The one macro of the library, its version and the compiler floor. Includes nothing of Toroid.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "toroid needs C++20: compile with -std=c++20 (CMake: target_link_libraries(... toroid::toroid) sets it)"
#endif

#if defined(__CUDACC__)
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 13
#error "toroid needs CUDA Toolkit 13 or newer (nvcc 13 is the oldest tested release)"
#endif
#elif defined(__clang__)
#if __clang_major__ < 16 && !defined(__clang_analyzer__)
#error "toroid needs clang 16 or newer (class-type template parameters of C++20)"
#endif
#elif defined(__GNUC__)
#if __GNUC__ < 12
#error "toroid needs g++ 12 or newer"
#endif
#endif

#if defined(__CUDACC__)
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
