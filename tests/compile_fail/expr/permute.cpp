// Axes that are no permutation.
// code: E020
// expect: static assertion failed.*permute: Axes must name each of the Rank axes exactly once
// expect: permutation<2, 0, 0>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return permute<1, 0>(x);
#else
        return permute<0, 0>(x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
