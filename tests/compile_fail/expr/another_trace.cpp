// Operands of two traces do not mix.
// code: E026
// expect: static assertion failed.*toroid E026: program: Model combines tensors of two traces
// expect: toroid_E026_tensor_belongs_to_another_trace

#include <toroid/toroid.hpp>

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
static_assert(program<model>::output_count > 0);
