// A vector is no matrix.
// code: E021
// expect: static assertion failed.*matmul: operands need at least two axes
// expect: matmul_ranks<2, 1>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x, tensor<f32, 6> v) const {
#ifdef TOROID_GOOD
        return matmul(x, unsqueeze<-1>(v));
#else
        return matmul(x, v);
#endif
    }
};
static_assert(program<model>::output_count > 0);
