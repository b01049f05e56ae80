// A reshape to another number of elements: both numbers are in the message.
// code: E014
// expect: static assertion failed.*reshape: the operand has From elements, the requested extents have To
// expect: reshape_elements<.*24.*30

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return reshape<3, 8>(x);
#else
        return reshape<5, 6>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
