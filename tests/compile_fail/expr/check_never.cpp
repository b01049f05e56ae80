// A check that no value of the symbols passes.
// code: E008
// expect: static assertion failed.*toroid E008: check: the check in line Number of Model never holds
// expect: traced_model<model, .*, [0-9]+>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

struct model {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        x.trace().check(B <= 64);
#ifdef TOROID_GOOD
        x.trace().check(B <= B + 1);
#else
        x.trace().check(B + 1 <= B);
#endif
        return exp(x);
    }
};
static_assert(program<model>::output_count > 0);
