// A slice makes no steps of 0.
// expect: static assertion failed.*slice: the step is not 0

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return slice<0, 0, 4, 1>(x);
#else
        return slice<0, 0, 4, 0>(x);
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
