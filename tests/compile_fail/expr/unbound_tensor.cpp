// A tensor that is neither a member nor an argument belongs to no trace.
// expect: tensor_is_not_bound_to_a_trace_use_model_members_and_arguments_only

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4> x) const {
#ifdef TOROID_GOOD
        const tensor<f32, 4> y = x;
#else
        const tensor<f32, 4> y;
#endif
        return exp(y);
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
