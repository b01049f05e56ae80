// A symbol that no input determines: the parameter alone does not give it a value.
// code: E011
// expect: static assertion failed.*toroid E011: unbound symbol: no extent of an input determines Symbol
// expect: lowered_program<.*program<model.*>, 'S', false>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');
inline constexpr auto S = symbol('S');

struct model {
    BOOST_HANA_DEFINE_STRUCT(model, (tensor<f32, S>, weight));
#ifdef TOROID_GOOD
    constexpr auto operator()(tensor<f32, B, S> x) const { return x * weight; }
#else
    constexpr auto operator()(tensor<f32, B, 1> x) const { return x * weight; }
#endif
};
static_assert(program<model>::kernel_count() > 0);
