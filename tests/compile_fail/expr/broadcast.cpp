// Extents that differ at one axis: the message names the operation, the axis and both extents.
// code: E012
// expect: static assertion failed.*broadcast: operation Op at axis Axis has extents Lhs and Rhs that differ and neither is 1
// expect: broadcast_extents<.*op::add, -1, .*6.*4

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x, tensor<f32, 6> y, tensor<f32, 4> z) const {
#ifdef TOROID_GOOD
        return x + y;
#else
        return x + z;
#endif
    }
};
static_assert(program<model>::output_count > 0);
