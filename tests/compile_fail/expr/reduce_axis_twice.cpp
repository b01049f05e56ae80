// One axis by two names.
// code: E020
// expect: static assertion failed.*reduction: an axis of Axes is named twice
// expect: reduced_axes<.*reduce_max, 2, 1, -1>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return max<1, 0>(x);
#else
        return max<1, -1>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
