// An expansion keeps all axes of its operand.
// code: E018
// expect: static assertion failed.*toroid E018: expand: the operand does not broadcast to the requested extents

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return expand<2, 4, 6>(x);
#else
        return expand<6>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
