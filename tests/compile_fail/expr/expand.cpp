// An extent other than 1 does not stretch.
// expect: static assertion failed.*(broadcast: operation Op|expand: the operand does not broadcast)

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return expand<2, 4, 6>(x);
#else
        return expand<4, 12>(x);
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
