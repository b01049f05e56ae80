// The contracted extents of a product differ.
// code: E013
// expect: static assertion failed.*matmul: inner extents differ
// expect: matmul_inner_extents<

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return matmul(x, transpose(x));
#else
        return matmul(x, x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
