// One of many operands differs in an axis that is not joined.
// code: E015
// expect: static assertion failed.*toroid E015: concat: the operands differ at axis Axis
// expect: concat_extents<1, .*6.*5

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x, tensor<f32, 4, 5> y) const {
#ifdef TOROID_GOOD
        return concat<0>(x, x, x, x, x, x, x);
#else
        return concat<0>(x, x, x, x, x, x, y);
#endif
    }
};
static_assert(program<model>::output_count > 0);
