// The outermost model names its inputs; a template has none to trace.
// expect: static assertion failed.*program: Model needs exactly one operator\(\), not a template
// expect: model_call<model, false>

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
#ifdef TOROID_GOOD
    constexpr auto operator()(tensor<f32, 4> x) const { return exp(x); }
#else
    constexpr auto operator()(expression auto x) const { return exp(x); }
#endif
};
using inputs = signature<model>::inputs;
