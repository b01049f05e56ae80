// `B == 64` compares spellings at once and is no condition on run-time values; `equals(B, 64)` is.
// code: E010
// expect: static assertion failed.*toroid E010: check: takes a condition such as B <= 64
// expect: check_argument<bool>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

struct model {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
#ifdef TOROID_GOOD
        x.trace().check(equals(B, 64));
#else
        x.trace().check(B == 64);
#endif
        return exp(x);
    }
};
static_assert(program<model>::output_count > 0);
