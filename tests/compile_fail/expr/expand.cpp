// An extent other than 1 does not stretch.
// code: E012
// expect: static assertion failed.*(broadcast: operation Op|expand: the operand does not broadcast)

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return expand<2, 4, 6>(x);
#else
        return expand<4, 12>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
