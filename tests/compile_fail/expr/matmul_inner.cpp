// The contracted extents of a product differ.
// expect: static assertion failed.*matmul: inner extents differ
// expect: matmul_inner_extents<

#include <toroid/expr/expr.hpp>

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
static_assert(trace_model<model>().recorded().nodes.size() > 0);
