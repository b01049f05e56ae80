// A slice makes no steps of 0.
// code: E024
// expect: static assertion failed.*slice: the step is not 0

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return slice<0, 0, 4, 1>(x);
#else
        return slice<0, 0, 4, 0>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
