// Operands that are joined have one rank.
// code: E021
// expect: static assertion failed.*toroid E021: concat: the operands have different ranks

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x, tensor<f32, 6> y) const {
#ifdef TOROID_GOOD
        return concat<0>(x, x, x, unsqueeze<0>(y));
#else
        return concat<0>(x, x, x, y);
#endif
    }
};
static_assert(program<model>::output_count > 0);
