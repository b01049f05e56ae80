// A check that an earlier one rules out.
// expect: check_contradicts_an_earlier_check

#include <toroid/expr/trace.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

constexpr bool checks() {
    trace t;
    t.check(B <= 64);
#ifdef TOROID_GOOD
    t.check(B >= 64);
#else
    t.check(B >= 65);
#endif
    return true;
}
static_assert(checks());
