// A member that is neither a tensor nor reflected could not be loaded: a plain struct is a mistake.
// expect: static assertion failed.*model: a member of type Member is neither a tensor, a number
// expect: model_member<.*options

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct options {
    int heads = 8;
};
struct model {
#ifdef TOROID_GOOD
    BOOST_HANA_DEFINE_STRUCT(model, (tensor<f32, 4>, weight), (int, heads));
#else
    BOOST_HANA_DEFINE_STRUCT(model, (tensor<f32, 4>, weight), (options, heads));
#endif
    constexpr auto operator()(tensor<f32, 4> x) const { return x * weight; }
};
static_assert(trace_model<model>().recorded().parameter_count == 1);
