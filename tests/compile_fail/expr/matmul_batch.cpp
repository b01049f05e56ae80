// The batch axes of a product broadcast like those of other operations.
// code: E012
// expect: static assertion failed.*toroid E012: broadcast: operation Op at axis Axis
// expect: broadcast_extents<.*op::matmul, -1, .*3.*2

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 3, 4, 6> x, tensor<f32, 6, 4> y, tensor<f32, 2, 6, 4> z) const {
#ifdef TOROID_GOOD
        return matmul(x, y);
#else
        return matmul(x, z);
#endif
    }
};
static_assert(program<model>::output_count > 0);
