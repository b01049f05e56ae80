#pragma once
// Toroid for NVIDIA GPUs: everything that a .cu needs. Includes toroid.hpp; needs nvcc.

#include <toroid/core/config.hpp>

#if defined(TOROID_HOST_DEVICE)
#include <toroid/backend/cuda/abi.hpp>
#if defined(__CUDACC__)
#include <toroid/backend/cuda/array.hpp>
#include <toroid/backend/cuda/dlpack.hpp>
#include <toroid/backend/cuda/executor.hpp>
#include <toroid/backend/cuda/nvtx.hpp>
#include <toroid/backend/cuda/weights.hpp>
#endif
#include <toroid/toroid.hpp>
#endif
