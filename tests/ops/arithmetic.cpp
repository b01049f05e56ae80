// Arithmetic definitions: special values of the floating formulas, wrap-around and zero divisors of the integer ones.

#include <toroid/ops/arithmetic.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "math/accuracy.hpp"

using namespace toroid;
using namespace test_math;

namespace {

template <op O, class... T> constexpr auto apply(T... x) { return definition<O>::apply(x...); }

constexpr std::int8_t low8 = -128;
constexpr std::int32_t low32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t low64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t high64 = std::numeric_limits<std::int64_t>::max();

//=== the result has the type of the operands, small integers included ===//

static_assert(std::is_same_v<decltype(apply<op::add>(std::int8_t{1}, std::int8_t{1})), std::int8_t>);
static_assert(std::is_same_v<decltype(apply<op::mul>(true, true)), bool> &&
              std::is_same_v<decltype(apply<op::neg>(1.0)), double>);
static_assert(std::is_same_v<decltype(apply<op::fmod>(std::uint8_t{7}, std::uint8_t{2})), std::uint8_t>);
static_assert(std::is_same_v<decltype(apply<op::relu>(1.0f)), float>);

//=== integers wrap; the lowest has no positive counterpart ===//

static_assert(apply<op::neg>(low32) == low32 && apply<op::abs>(low32) == low32 && apply<op::neg>(low8) == low8);
static_assert(apply<op::abs>(low8) == low8 && apply<op::neg>(std::uint8_t{1}) == 255 &&
              apply<op::abs>(std::uint8_t{200}) == 200);
static_assert(apply<op::add>(high64, std::int64_t{1}) == low64 && apply<op::sub>(low64, std::int64_t{1}) == high64);
static_assert(apply<op::mul>(std::int32_t{65536}, std::int32_t{65536}) == 0 && apply<op::square>(std::int8_t{16}) == 0);
static_assert(apply<op::fma>(std::int8_t{16}, std::int8_t{8}, std::int8_t{1}) == -127);
static_assert(apply<op::sign>(low64) == -1 && apply<op::sign>(std::uint8_t{9}) == 1 && apply<op::sign>(0) == 0);
static_assert(apply<op::relu>(low32) == 0 && apply<op::relu>(std::uint8_t{3}) == 3 && apply<op::relu>(7) == 7);
static_assert(apply<op::minimum>(low64, high64) == low64 &&
              apply<op::maximum>(std::uint8_t{1}, std::uint8_t{255}) == 255);

// bool: addition is or, multiplication is and.
static_assert(apply<op::add>(true, true) && apply<op::add>(true, false) && !apply<op::add>(false, false));
static_assert(apply<op::mul>(true, true) && !apply<op::mul>(true, false) && apply<op::maximum>(true, false) &&
              !apply<op::minimum>(true, false));

//=== remainders: fmod has the sign of the dividend, remainder that of the divisor; no divisor traps ===//

static_assert(apply<op::fmod>(7, 3) == 1 && apply<op::fmod>(-7, 3) == -1 && apply<op::fmod>(7, -3) == 1 &&
              apply<op::fmod>(-7, -3) == -1);
static_assert(apply<op::remainder>(7, 3) == 1 && apply<op::remainder>(-7, 3) == 2 &&
              apply<op::remainder>(7, -3) == -2 && apply<op::remainder>(-7, -3) == -1);
static_assert(apply<op::remainder>(6, -3) == 0 && apply<op::remainder>(-6, 3) == 0);
static_assert(apply<op::fmod>(7, 0) == 0 && apply<op::remainder>(-7, 0) == 0 &&
              apply<op::fmod>(std::uint8_t{7}, std::uint8_t{0}) == 0);
static_assert(apply<op::fmod>(low32, -1) == 0 && apply<op::remainder>(low64, std::int64_t{-1}) == 0 &&
              apply<op::fmod>(low8, std::int8_t{-1}) == 0);
static_assert(apply<op::remainder>(low32, std::numeric_limits<std::int32_t>::max()) ==
              std::numeric_limits<std::int32_t>::max() - 1);
static_assert(apply<op::remainder>(std::uint8_t{250}, std::uint8_t{7}) == 5);

static_assert(same(apply<op::fmod>(-7.5f, 2.0f), -1.5f) && same(apply<op::remainder>(-7.5f, 2.0f), 0.5f));
static_assert(same(apply<op::remainder>(7.5, -2.0), -0.5) && same(apply<op::fmod>(-6.0, 3.0), -0.0));
static_assert(same(apply<op::fmod>(1.0f, 0.0f), nan32) && same(apply<op::remainder>(1.0, 0.0), nan64));
static_assert(same(apply<op::fmod>(5.0f, infinity32), 5.0f) && same(apply<op::fmod>(infinity32, 5.0f), nan32));

//=== NaN propagates, zeros keep their sign ===//

static_assert(same(apply<op::maximum>(nan32, 1.0f), nan32) && same(apply<op::maximum>(1.0f, nan32), nan32));
static_assert(same(apply<op::minimum>(nan64, infinity64), nan64) &&
              same(apply<op::minimum>(-infinity64, nan64), nan64));
static_assert(same(apply<op::maximum>(-0.0f, 0.0f), 0.0f) && same(apply<op::maximum>(0.0f, -0.0f), 0.0f));
static_assert(same(apply<op::minimum>(-0.0, 0.0), -0.0) && same(apply<op::minimum>(0.0, -0.0), -0.0));
static_assert(same(apply<op::relu>(-0.0f), 0.0f) && same(apply<op::relu>(nan32), nan32) &&
              same(apply<op::relu>(-infinity32), 0.0f));
static_assert(same(apply<op::relu>(infinity64), infinity64));
static_assert(same(apply<op::neg>(0.0f), -0.0f) && same(apply<op::neg>(-0.0), 0.0) &&
              same(apply<op::abs>(-0.0f), 0.0f));
static_assert(same(apply<op::abs>(-infinity64), infinity64) && same(apply<op::abs>(nan32), nan32));
static_assert(same(apply<op::sign>(-0.0f), -0.0f) && same(apply<op::sign>(0.0), 0.0) &&
              same(apply<op::sign>(nan32), nan32));
static_assert(same(apply<op::sign>(-infinity32), -1.0f) && same(apply<op::sign>(5e-324), 1.0));
static_assert(same(apply<op::add>(-0.0f, 0.0f), 0.0f) && same(apply<op::add>(-0.0f, -0.0f), -0.0f));
static_assert(same(apply<op::identity>(-0.0), -0.0) && apply<op::identity>(low64) == low64);

//=== reciprocals are correctly rounded ===//

static_assert(same(apply<op::reciprocal>(3.0f), 0x1.555556p-2f) && same(apply<op::reciprocal>(-infinity64), -0.0));
static_assert(same(apply<op::div>(1.0f, infinity32), 0.0f) && same(apply<op::div>(0.0f, -5.0f), -0.0f) &&
              apply<op::div>(1.0, 3.0) == 0x1.5555555555555p-2);

//=== fma rounds once ===//

static_assert(apply<op::fma>(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -(1.0f + 0x1p-11f)) == 0x1p-24f);
static_assert(apply<op::fma>(1.0 + 0x1p-27, 1.0 + 0x1p-27, -(1.0 + 0x1p-26)) == 0x1p-54);
static_assert(same(apply<op::square>(-3.0f), 9.0f) && same(apply<op::square>(-0.0), 0.0));

template <class T> int wrong_remainders() {
    int wrong = 0;
    for (int i = std::numeric_limits<T>::min(); i <= std::numeric_limits<T>::max(); ++i)
        for (int j = std::numeric_limits<T>::min(); j <= std::numeric_limits<T>::max(); ++j) {
            const int f = apply<op::fmod>(static_cast<T>(i), static_cast<T>(j));
            const int r = apply<op::remainder>(static_cast<T>(i), static_cast<T>(j));
            if (j == 0) {
                wrong += f != 0 || r != 0;
                continue;
            }
            wrong += f != i % j;
            wrong += r != (i % j + j) % j;
        }
    return wrong;
}

/// True when `F` can be called in a constant expression.
template <auto F>
concept constant = requires { typename std::bool_constant<(F(), true)>; };

} // namespace

TEST_CASE("division by zero is infinite by sign, 0 / 0 is NaN") {
    CHECK(same(apply<op::div>(1.0f, 0.0f), infinity32));
    CHECK(same(apply<op::div>(1.0f, -0.0f), -infinity32));
    CHECK(same(apply<op::div>(-1.0, 0.0), -infinity64));
    CHECK(same(apply<op::div>(0.0, 0.0), nan64));
    CHECK(same(apply<op::div>(0.0f, -0.0f), nan32));
    CHECK(same(apply<op::div>(nan32, 0.0f), nan32));
    CHECK(same(apply<op::div>(-infinity32, 0.0f), -infinity32));
    CHECK(same(apply<op::div>(infinity32, infinity32), nan32));
    CHECK(same(apply<op::reciprocal>(-0.0f), -infinity32));
    CHECK(same(apply<op::reciprocal>(0.0), infinity64));
}

TEST_CASE("division by zero is a constant expression, for folding") {
    CHECK(constant<[] { return apply<op::div>(1.0f, 0.0f); }>);
    CHECK(constant<[] { return apply<op::div>(0.0, -0.0); }>);
    CHECK(constant<[] { return apply<op::reciprocal>(0.0f); }>);
}

TEST_CASE("fmod and remainder of every pair of bytes") {
    CHECK(wrong_remainders<std::int8_t>() == 0);
    CHECK(wrong_remainders<std::uint8_t>() == 0);
}

TEST_CASE("the lowest integer does not trap at run time") {
    volatile std::int32_t lowest = low32;
    volatile std::int32_t minus_one = -1;
    volatile std::int32_t zero = 0;
    CHECK(apply<op::fmod>(std::int32_t{lowest}, std::int32_t{minus_one}) == 0);
    CHECK(apply<op::remainder>(std::int32_t{lowest}, std::int32_t{zero}) == 0);
    CHECK(apply<op::neg>(std::int32_t{lowest}) == low32);
}
