#pragma once
// matmul_simple: our own matrix product, for what cuBLAS has no version of: integers, and strides of any kind.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime.h>

#include <toroid/backend/cuda/check.hpp>
#include <toroid/backend/cuda/matmul_shape.hpp>
#include <toroid/core/dtype.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

inline constexpr int matmul_side = 64;    ///< rows and columns of out that a block computes
inline constexpr int matmul_depth = 16;   ///< of k that a block holds in shared memory
inline constexpr int matmul_threads = 16; ///< of a block, in each direction
inline constexpr int matmul_own = matmul_side / matmul_threads; ///< rows and columns of a thread

/// Type of the sum. Unsigned, because a narrow integer product wraps around and signed overflow is undefined.
template <dtype T> struct matmul_sum {
    using type = compute_t<T>;
};
template <dtype T>
    requires(is_integral(T))
struct matmul_sum<T> {
    using type = std::conditional_t<size_of(T) == 8, std::uint64_t, std::uint32_t>;
};
template <dtype T> using matmul_sum_t = typename matmul_sum<T>::type;

/// Blocks of a multiprocessor that the registers must suffice for.
template <dtype T> inline constexpr int matmul_blocks = sizeof(matmul_sum_t<T>) == 8 ? 2 : 3;

/// The part of an operand that a block multiplies next. The padding spreads an operand that is read along k over the
/// banks, and keeps rows at multiples of 16 bytes.
template <class Sum> struct alignas(16) matmul_slice {
    Sum values[matmul_depth][matmul_side + 4];
};

/// Copies `matmul_depth` of k by `matmul_side` of the operand's own extent; zeros beyond its ends.
template <class Sum, class Storage>
__device__ void load_slice(matmul_slice<Sum>& slice, const Storage* data, std::int64_t first, std::int64_t extent,
                           std::int64_t stride, std::int64_t first_k, std::int64_t k, std::int64_t k_stride) {
    constexpr int count = matmul_threads * matmul_threads;
    const int thread = static_cast<int>(threadIdx.x);
    // Neighbouring threads read neighbouring elements, whichever way those lie.
    const auto distance = [](std::int64_t s) { return s < 0 ? -s : s; };
    const bool along_k = distance(k_stride) < distance(stride);
    const int depth = along_k ? thread % matmul_depth : thread / matmul_side;
    const int side = along_k ? thread / matmul_depth : thread % matmul_side;
    const int depth_step = along_k ? 0 : count / matmul_side;
    const int side_step = along_k ? count / matmul_depth : 0;
    const Storage* at = data + (first + side) * stride + (first_k + depth) * k_stride;
    const std::int64_t step = side_step * stride + depth_step * k_stride;
#pragma unroll
    for (int i = 0; i < matmul_depth * matmul_side / count; ++i, at += step) {
        const int d = depth + i * depth_step, r = side + i * side_step;
        slice.values[d][r] = first + r < extent && first_k + d < k ? static_cast<Sum>(*at) : Sum{};
    }
}

/// Blocks walk over the tiles of out, of all batches. One thread sums the products of an element in order of k.
template <dtype T>
__global__ __attribute__((visibility("hidden"))) void __launch_bounds__(matmul_threads* matmul_threads,
                                                                        matmul_blocks<T>)
    matmul_simple_kernel(const matmul_shape s, const storage_t<T>* lhs, const storage_t<T>* rhs, storage_t<T>* out) {
    using sum = matmul_sum_t<T>;
    __shared__ matmul_slice<sum> left;
    __shared__ matmul_slice<sum> right;
    const int x = static_cast<int>(threadIdx.x) % matmul_threads;
    const int y = static_cast<int>(threadIdx.x) / matmul_threads;
    const std::int64_t across = (s.n + matmul_side - 1) / matmul_side;
    const std::int64_t down = (s.m + matmul_side - 1) / matmul_side;
    for (std::int64_t tile = blockIdx.x; tile < across * down * s.batch; tile += gridDim.x) {
        const std::int64_t column = tile % across * matmul_side;
        const std::int64_t row = tile / across % down * matmul_side;
        const std::int64_t batch = tile / (across * down);
        const storage_t<T>* const a = lhs + batch * s.lhs.batch_stride;
        const storage_t<T>* const b = rhs + batch * s.rhs.batch_stride;
        sum sums[matmul_own][matmul_own] = {};
        for (std::int64_t p = 0; p < s.k; p += matmul_depth) {
            load_slice(left, a, row, s.m, s.lhs.row_stride, p, s.k, s.lhs.column_stride);
            load_slice(right, b, column, s.n, s.rhs.column_stride, p, s.k, s.rhs.row_stride);
            __syncthreads();
#pragma unroll 4
            for (int depth = 0; depth < matmul_depth; ++depth)
#pragma unroll
                for (int i = 0; i < matmul_own; ++i)
#pragma unroll
                    for (int j = 0; j < matmul_own; ++j)
                        sums[i][j] += left.values[depth][y * matmul_own + i] * right.values[depth][x * matmul_own + j];
            __syncthreads();
        }
        storage_t<T>* const c = out + batch * s.m * s.n;
#pragma unroll
        for (int i = 0; i < matmul_own; ++i)
#pragma unroll
            for (int j = 0; j < matmul_own; ++j) {
                const std::int64_t r = row + y * matmul_own + i, q = column + x * matmul_own + j;
                if (r < s.m && q < s.n) c[r * s.n + q] = static_cast<storage_t<T>>(sums[i][j]);
            }
    }
}

} // namespace detail

/// Computes `s` on `stream` for any strides and any dtype but bool. Floating products may be fused into the sum, f16
/// and bf16 sum in f32 with one rounding at the end; integers wrap around in their own type. A sum runs in order of k,
/// whatever the device and the launch. `s` has no extent of zero. Throws `device_error` with `line`.
template <dtype T>
void matmul_simple(const matmul_shape& s, const storage_t<T>* lhs, const storage_t<T>* rhs, storage_t<T>* out,
                   cudaStream_t stream, int line = -1) {
    constexpr std::int64_t side = detail::matmul_side, most = INT32_MAX;
    const std::int64_t tiles = (s.m + side - 1) / side * ((s.n + side - 1) / side) * s.batch;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = dim3(static_cast<unsigned>(tiles < most ? tiles : most));
    launch.blockDim = dim3(detail::matmul_threads * detail::matmul_threads);
    launch.stream = stream;
    check(cudaLaunchKernelEx(&launch, detail::matmul_simple_kernel<T>, s, lhs, rhs, out), "launch of matmul_simple",
          line);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
