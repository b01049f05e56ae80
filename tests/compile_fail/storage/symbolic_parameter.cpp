// Parameters are loaded before any input is known, so their extents are constants.
// code: E038
// expect: static assertion failed.*toroid E038: weights: parameters have constant extents

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

struct model {
#ifdef TOROID_GOOD
    BOOST_HANA_DEFINE_STRUCT(model, (tensor<f32, 64>, bias));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return x + bias; }
#else
    BOOST_HANA_DEFINE_STRUCT(model, (tensor<f32, B>, bias));
    constexpr auto operator()(tensor<f32, B> x) const { return x + bias; }
#endif
};
inline weights<model> zeros() { return {}; }
