#pragma once
// kernel: the one __global__ template; its plan chooses the family.

#include <toroid/backend/cuda/column_kernel.hpp>
#include <toroid/backend/cuda/pointwise_kernel.hpp>
#include <toroid/backend/cuda/row_kernel.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

namespace detail {

/// What comes next in the stream may begin to launch, and waits here in turn: all memory that the kernel before wrote is
/// visible afterwards. Source: CUDA Programming Guide, programmatic dependent launch.
__device__ __forceinline__ void wait_for_predecessor() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\n"
                 "griddepcontrol.wait;" ::
                     : "memory");
#endif
}

} // namespace detail

/// Checked class: what the code is compiled for, as in __CUDA_ARCH__, is new enough for the target.
template <class Target, int Architecture> struct compiled_architecture {
    static_assert(
        Architecture >= Target::architecture * 10,
        "toroid E004: cuda: the program's target needs a newer GPU than this code is compiled for; compile with "
        "nvcc -arch=sm_90a, or for older GPUs take targets::sm_80: cuda::executor<Model, targets::sm_80>");
};

/// Most bytes that the parameters of a kernel may have on every driver.
inline constexpr int max_parameter_bytes = 4096;

/// Checked class: the parameters of a kernel, pointers and run-time extents, fit.
template <class Program, int Bytes> struct kernel_parameters {
    static_assert(Bytes <= max_parameter_bytes,
                  "toroid E036: cuda: the parameters of a kernel of Program, one pointer per array and a number per "
                  "run-time extent, have Bytes bytes and exceed 4 KiB; lower target_facts::max_fused_ops");
};

/// The definition of program `P` with the most parameters.
template <class P> constexpr int widest_definition() {
    int widest = 0;
    int most = -1;
    for (int d = 0; d < P::definition_count(); ++d) {
        const kernel_definition& definition = P::definitions[d];
        const int count = definition.arguments.size() + definition.dims.size();
        if (count > most) widest = d;
        most = count > most ? count : most;
    }
    return widest;
}
/// Bytes of its parameters.
template <class P> constexpr int parameter_bytes() {
    if constexpr (P::definition_count() == 0) return 0;
    else return static_cast<int>(sizeof(kernel_arguments<kernel_body<P, widest_definition<P>()>>));
}

/// Blocks per multiprocessor that ptxas is asked for. Left to itself (0), it spills a register of a loop over rows to fit
/// one more block.
template <class P, int D>
inline constexpr int resident_blocks = plan_of<P, D>.family == kernel_family::row_loop ? 1 : 0;

/// The kernel of definition `D` of program `P`. Kernels are hidden, nvcc 13 sees to it: two libraries in one process have
/// kernels of their own.
template <class P, int D>
__global__ void __launch_bounds__((plan_of<P, D>.threads), (resident_blocks<P, D>))
    fused_kernel(const __grid_constant__ kernel_arguments<kernel_body<P, D>> arguments) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(compiled_architecture<typename P::target, __CUDA_ARCH__>) != 0);
#endif
    detail::wait_for_predecessor();
    constexpr kernel_family family = plan_of<P, D>.family;
    if constexpr (family == kernel_family::pointwise) detail::pointwise_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::tile) detail::tile_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::row) detail::row_kernel<P, D>::run(arguments);
    else if constexpr (family == kernel_family::row_loop) detail::row_loop_kernel<P, D>::run(arguments);
    else detail::column_kernel<P, D>::run(arguments);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
