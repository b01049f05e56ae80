// The outermost model names its inputs; a template has none to trace.
// code: E030
// expect: static assertion failed.*program: Model needs exactly one operator\(\), not a template
// expect: model_call<model, false>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
#ifdef TOROID_GOOD
    constexpr auto operator()(tensor<f32, 4> x) const { return exp(x); }
#else
    constexpr auto operator()(expression auto x) const { return exp(x); }
#endif
};
static_assert(program<model>::input_count == 1);
