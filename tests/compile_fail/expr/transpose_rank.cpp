// A vector has no two axes to swap.
// code: E021
// expect: static assertion failed.*toroid E021: transpose: the operand needs two axes

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 6> x) const {
#ifdef TOROID_GOOD
        return transpose(unsqueeze<0>(x));
#else
        return transpose(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
