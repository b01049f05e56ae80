// floor, ceil, trunc, round as definitions: integers pass, ties go to even, special values stay.

#include <toroid/ops/rounding.hpp>

#include <cstdint>

#include "math/accuracy.hpp"

using namespace toroid;
using namespace test_math;

namespace {

template <op O, class T> constexpr T apply(T x) { return definition<O>::apply(x); }

//=== integers are their own floor ===//

template <class T> constexpr bool keeps_integers(T x) {
    return apply<op::floor>(x) == x && apply<op::ceil>(x) == x && apply<op::trunc>(x) == x && apply<op::round>(x) == x;
}
static_assert(keeps_integers(std::int8_t{-128}) && keeps_integers(std::uint8_t{255}) &&
              keeps_integers(std::int64_t{1} << 62));

//=== directions ===//

static_assert(apply<op::floor>(-1.5f) == -2.0f && apply<op::ceil>(-1.5f) == -1.0f && apply<op::trunc>(-1.5f) == -1.0f);
static_assert(apply<op::floor>(1.5) == 1.0 && apply<op::ceil>(1.5) == 2.0 && apply<op::trunc>(1.5) == 1.0);
static_assert(apply<op::round>(0.5f) == 0.0f && apply<op::round>(1.5f) == 2.0f && apply<op::round>(-2.5) == -2.0);
static_assert(same(apply<op::round>(-0.4f), -0.0f) && same(apply<op::ceil>(-0.4), -0.0) &&
              same(apply<op::trunc>(-0.9f), -0.0f));

//=== special values stay ===//

template <class T> constexpr bool keeps(T x) {
    return same(apply<op::floor>(x), x) && same(apply<op::ceil>(x), x) && same(apply<op::trunc>(x), x) &&
           same(apply<op::round>(x), x);
}
static_assert(keeps(-0.0f) && keeps(0.0) && keeps(infinity32) && keeps(-infinity64) && keeps(nan32) && keeps(nan64));
static_assert(keeps(16777217.0f) && keeps(-4503599627370497.0));

} // namespace

TEST_CASE("the definitions are the formulas of ops/math") {
    int different = 0;
    for (int i = -2000; i <= 2000; ++i) {
        const float x = static_cast<float>(i) / 8;
        different += !same(apply<op::floor>(x), std::floor(x)) + !same(apply<op::ceil>(x), std::ceil(x));
        different += !same(apply<op::trunc>(x), std::trunc(x)) + !same(apply<op::round>(x), std::nearbyint(x));
    }
    CHECK(different == 0);
}
