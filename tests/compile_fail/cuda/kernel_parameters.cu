// A kernel that reads more arrays than its parameters have room for. Models that large exceed nvcc 13's limit on constant
// evaluation before, so this states the check itself.
// code: E036
// expect: static assertion failed.*toroid E036: cuda: the parameters of a kernel of Program
// expect: kernel_parameters<.*4104

#include <toroid/cuda.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 64> x) const { return x * 2; }
};
using net = program<model, targets::sm_90>;
#ifdef TOROID_GOOD
static_assert(sizeof(cuda::kernel_parameters<net, cuda::parameter_bytes<net>()>) != 0);
#else
static_assert(sizeof(cuda::kernel_parameters<net, 4104>) != 0);
#endif
