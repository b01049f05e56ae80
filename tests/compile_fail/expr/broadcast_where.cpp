// Three operands: the condition and both sides broadcast together.
// code: E012
// expect: static assertion failed.*toroid E012: broadcast: operation Op at axis Axis
// expect: broadcast_extents<.*op::where, -1, .*6.*4

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x, tensor<f32, 6> y, tensor<f32, 4> z) const {
#ifdef TOROID_GOOD
        return where(x > 0, x, y);
#else
        return where(x > 0, x, z);
#endif
    }
};
static_assert(program<model>::output_count > 0);
