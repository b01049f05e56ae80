// Operands of two traces do not mix.
// expect: tensor_belongs_to_another_trace

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4> x) const {
        trace other;
#ifdef TOROID_GOOD
        trace& t = x.trace();
#else
        trace& t = other;
#endif
        return x + t.full<f32, 4>(1);
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
