// An extent of -1 that does not divide: B is no known multiple of eight.
// code: E014
// expect: static assertion failed.*reshape: the operand has From elements

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, symbol('B')> x, tensor<f32, 8 * symbol('B')> y) const {
#ifdef TOROID_GOOD
        return reshape<-1, 8>(y);
#else
        return reshape<-1, 8>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
