// A reduction over an axis that the operand does not have.
// code: E019
// expect: static assertion failed.*reduction: an axis of Axes is outside \[-Rank, Rank\)
// expect: reduced_axes<.*reduce_sum, 2, 2>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return sum<-2>(x);
#else
        return sum<2>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
