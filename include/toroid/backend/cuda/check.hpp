#pragma once
// check: a failed CUDA call becomes a toroid::error that names the call, the reason and the line of the plan.

#include <cuda_runtime_api.h>

#include <string>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/core/error.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Throws toroid::error unless `status` is success: out_of_memory for a failed allocation, else `device_error`. `what`
/// says what was tried, `line` is the line of the plan that tried it. Clears the error where CUDA allows that.
inline void check(cudaError_t status, const char* what, int line = -1) {
    if (status == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    throw error(status == cudaErrorMemoryAllocation ? error_code::out_of_memory : error_code::device_error,
                std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status) + " (" +
                    cudaGetErrorName(status) + ")",
                line);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
