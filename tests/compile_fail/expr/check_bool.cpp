// `B == 64` compares spellings at once and is no condition on run-time values; `equals(B, 64)` is.
// expect: use of deleted function|call to deleted member function

#include <toroid/expr/trace.hpp>

using namespace toroid;

inline constexpr auto B = symbol('B');

constexpr bool checks() {
    trace t;
    t.check(B <= 64);
#ifdef TOROID_GOOD
    t.check(equals(B, 64));
#else
    t.check(B == 64);
#endif
    return true;
}
static_assert(checks());
