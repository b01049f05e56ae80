// There is no largest element of nothing.
// code: E022
// expect: static assertion failed.*reduction: operation Op has no value over an axis of extent 0

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 0, 6> x) const {
#ifdef TOROID_GOOD
        return sum<0>(x);
#else
        return max<0>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
