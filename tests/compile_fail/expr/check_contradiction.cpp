// A check that an earlier one rules out.
// code: E009
// expect: static assertion failed.*toroid E009: check: the check in line Number of Model contradicts an earlier one
// expect: traced_model<model, .*, [0-9]+>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

struct model {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        x.trace().check(B <= 64);
#ifdef TOROID_GOOD
        x.trace().check(B >= 64);
#else
        x.trace().check(B >= 65);
#endif
        return exp(x);
    }
};
static_assert(program<model>::output_count > 0);
