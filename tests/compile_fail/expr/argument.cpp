// Inputs are tensors.
// code: E030
// expect: static assertion failed.*program: every argument of the model's operator\(\) is a tensor

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
#ifdef TOROID_GOOD
    constexpr auto operator()(trace&, tensor<f32, 4> x) const { return exp(x); }
#else
    constexpr auto operator()(tensor<f32, 4> x, float) const { return exp(x); }
#endif
};
static_assert(program<model>::input_count == 1);
