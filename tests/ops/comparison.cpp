// Comparisons and logic: NaN is unordered, zeros are equal, where picks without mixing.

#include <toroid/ops/comparison.hpp>

#include <cstdint>
#include <type_traits>

#include "math/accuracy.hpp"

using namespace toroid;
using namespace test_math;

namespace {

template <op O, class... T> constexpr auto apply(T... x) { return definition<O>::apply(x...); }

//=== the six relations as a bit each, so that one number shows them all ===//

template <class T> constexpr int relations(T a, T b) {
    return apply<op::eq>(a, b) << 5 | apply<op::ne>(a, b) << 4 | apply<op::lt>(a, b) << 3 | apply<op::le>(a, b) << 2 |
           apply<op::gt>(a, b) << 1 | apply<op::ge>(a, b);
}
constexpr int equal = 0b100101;
constexpr int less = 0b011100;
constexpr int greater = 0b010011;
constexpr int unordered = 0b010000;

static_assert(relations(1.0f, 1.0f) == equal && relations(1.0f, 2.0f) == less && relations(2.0, 1.0) == greater);
static_assert(relations(0.0f, -0.0f) == equal && relations(-infinity32, infinity32) == less &&
              relations(infinity64, infinity64) == equal);
static_assert(relations(nan32, nan32) == unordered && relations(nan64, 1.0) == unordered &&
              relations(-infinity32, nan32) == unordered);
static_assert(relations(std::int64_t{-1}, std::int64_t{1}) == less &&
              relations(std::uint8_t{255}, std::uint8_t{1}) == greater);
static_assert(relations(false, true) == less && relations(true, true) == equal);
static_assert(std::is_same_v<decltype(apply<op::lt>(1.0f, 2.0f)), bool>);

//=== logic on bool ===//

template <op O> constexpr int truth_table() {
    return apply<O>(false, false) << 3 | apply<O>(false, true) << 2 | apply<O>(true, false) << 1 | apply<O>(true, true);
}
static_assert(truth_table<op::logical_and>() == 0b0001 && truth_table<op::logical_or>() == 0b0111 &&
              truth_table<op::logical_xor>() == 0b0110);
static_assert(apply<op::logical_not>(false) && !apply<op::logical_not>(true));

//=== tests: integers are never NaN or infinite ===//

static_assert(apply<op::isnan>(nan32) && !apply<op::isnan>(infinity32) && !apply<op::isnan>(0.0) &&
              !apply<op::isnan>(7) && !apply<op::isnan>(true));
static_assert(apply<op::isinf>(-infinity64) && apply<op::isinf>(infinity32) && !apply<op::isinf>(nan64) &&
              !apply<op::isinf>(3.4e38f) && !apply<op::isinf>(-1));

//=== where: the side that is not chosen does not count ===//

static_assert(same(apply<op::where>(true, 1.0f, nan32), 1.0f) && same(apply<op::where>(false, nan32, -0.0f), -0.0f));
static_assert(apply<op::where>(true, std::int8_t{-5}, std::int8_t{5}) == -5 &&
              apply<op::where>(false, true, false) == false);
static_assert(std::is_same_v<decltype(apply<op::where>(true, std::int8_t{1}, std::int8_t{2})), std::int8_t>);

} // namespace

TEST_CASE("every pair has exactly one relation") {
    const float values[] = {nan32, -infinity32, -1.0f, -1e-45f, -0.0f, 0.0f, 1e-45f, 1.0f, infinity32};
    for (const float a : values)
        for (const float b : values) {
            const int expected = a != a || b != b ? unordered : a < b ? less : b < a ? greater : equal;
            CHECK(relations(a, b) == expected);
        }
}
