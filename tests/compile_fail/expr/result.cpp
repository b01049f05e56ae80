// Outputs are tensors, or tuples, arrays or structs of them.
// code: E027
// expect: static assertion failed.*program: a model returns a tensor

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4> x) const {
#ifdef TOROID_GOOD
        return exp(x);
#else
        return x.id;
#endif
    }
};
static_assert(program<model>::output_count > 0);
