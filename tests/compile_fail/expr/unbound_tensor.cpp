// A tensor that is neither a member nor an argument belongs to no trace.
// code: E025
// first note: Clang NVIDIA
// expect: toroid_E025_tensor_is_not_bound_to_a_trace_use_model_members_and_arguments_only

#include <toroid/toroid.hpp>

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
static_assert(program<model>::output_count > 0);
