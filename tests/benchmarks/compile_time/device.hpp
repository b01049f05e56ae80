#pragma once
// What a benchmark of compile time compiles for: the CPU, or the GPU where nvcc is the compiler.

#ifdef __CUDACC__
#include <toroid/cuda.hpp>

namespace device = toroid::cuda;
using target = toroid::targets::sm_90;
#else
#include <toroid/toroid.hpp>

namespace device {
using toroid::array;
using toroid::cpu::executor;
} // namespace device
using target = toroid::targets::cpu;
#endif

/// A model's plan.
template <class Model> using plan_of = toroid::program<Model, target>;

/// Runs a model as a user's function does, thus instantiates all of its executor.
template <class Model, class... X> auto run(const X&... x) {
    device::executor<Model> executor(toroid::weights<Model>{});
    return executor(x...);
}
