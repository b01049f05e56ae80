// There is no largest element of nothing.
// expect: static assertion failed.*reduction: operation Op has no value over an axis of extent 0

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 0, 6> x) const {
#ifdef TOROID_GOOD
        return sum<0>(x);
#else
        return max<0>(x);
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
