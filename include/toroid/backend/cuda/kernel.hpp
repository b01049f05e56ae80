#pragma once
// kernel: the one __global__ template; its plan chooses the family.

#include <toroid/backend/cuda/column_kernel.hpp>
#include <toroid/backend/cuda/pointwise_kernel.hpp>
#include <toroid/backend/cuda/row_kernel.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// The kernel of definition `D` of program `P`. Hidden: two libraries in one process have kernels of their own.
template <class P, int D>
__global__ void __attribute__((visibility("hidden"))) __launch_bounds__((plan_of<P, D>.threads))
    fused_kernel(const __grid_constant__ kernel_arguments<kernel_body<P, D>> arguments) {
    constexpr kernel_family family = plan_of<P, D>.family;
    if constexpr (family == kernel_family::pointwise) detail::pointwise_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::tile) detail::tile_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::row) detail::row_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::row_loop) detail::row_loop_kernel<P, D>::run(arguments);
    else detail::column_kernel<P, D>::run(arguments);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
