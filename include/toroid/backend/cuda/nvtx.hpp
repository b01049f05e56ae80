#pragma once
// nvtx: launches as named ranges in the timeline of a profiler, through the NVTX headers of the CUDA Toolkit.

#include <nvtx3/nvToolsExt.h>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/codegen/launcher.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Hooks that open an NVTX range around each launch, named after the kernel, and close it: fused_add_relu_3, matmul. A
/// range is the host's time; a profiler relates it to the device's. Nothing is linked; without a profiler a range costs a
/// comparison. A launch that throws leaves its range open on its thread.
inline launch_hooks nvtx_hooks() {
    launch_hooks hooks;
    hooks.enter = [](void*, const launch_info& launch) { nvtxRangePushA(launch.kernel); };
    hooks.exit = [](void*, const launch_info&) { nvtxRangePop(); };
    return hooks;
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
