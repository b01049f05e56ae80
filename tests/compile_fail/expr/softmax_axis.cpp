// softmax along an axis that the operand does not have.
// code: E019
// expect: static assertion failed.*axis out of range: Axis must lie in \[-Rank, Rank\)
// expect: axis_in_range<2, 2>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return softmax<1>(x);
#else
        return softmax<2>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
