// Only an axis of extent 1 can be dropped.
// code: E017
// expect: static assertion failed.*squeeze: axis Axis has extent Extent, which is not 1
// expect: squeezed_extent<0, .*4

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return squeeze<0>(reshape<1, 24>(x));
#else
        return squeeze<0>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
