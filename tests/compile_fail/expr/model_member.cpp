// A member that is neither a tensor nor reflected could not be loaded: a plain struct is a mistake.
// code: E029
// expect: static assertion failed.*model: a member of type Member is neither a tensor, a number
// expect: model_member<.*options

#include <toroid/toroid.hpp>

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
static_assert(program<model>::parameter_count == 1);
