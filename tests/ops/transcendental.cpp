// Transcendental definitions: special values in constant evaluation, and integer powers. Accuracy: tests/ops/math.

#include <toroid/ops/transcendental.hpp>

#include <cstdint>
#include <limits>

#include "math/accuracy.hpp"

using namespace toroid;
using namespace test_math;

namespace {

template <op O, class... T> constexpr auto apply(T... x) { return definition<O>::apply(x...); }

//=== signed zeros pass through odd functions ===//

static_assert(same(apply<op::sqrt>(-0.0f), -0.0f) && same(apply<op::expm1>(-0.0f), -0.0f) &&
              same(apply<op::log1p>(-0.0), -0.0));
static_assert(same(apply<op::sin>(-0.0f), -0.0f) && same(apply<op::tan>(-0.0), -0.0) &&
              same(apply<op::tanh>(-0.0f), -0.0f) && same(apply<op::erf>(-0.0), -0.0));

//=== poles, limits and domains ===//

static_assert(same(apply<op::sqrt>(-1.0f), nan32) && same(apply<op::sqrt>(infinity64), infinity64) &&
              apply<op::sqrt>(2.25f) == 1.5f);
static_assert(same(apply<op::rsqrt>(0.0f), infinity32) && same(apply<op::rsqrt>(-0.0), -infinity64) &&
              same(apply<op::rsqrt>(infinity32), 0.0f));
static_assert(same(apply<op::rsqrt>(-1.0f), nan32) && apply<op::rsqrt>(4.0) == 0.5);
static_assert(same(apply<op::exp>(-infinity32), 0.0f) && same(apply<op::exp>(infinity64), infinity64) &&
              apply<op::exp>(0.0f) == 1.0f);
static_assert(same(apply<op::exp>(100.0f), infinity32) && same(apply<op::exp>(-110.0f), 0.0f) &&
              apply<op::exp2>(10.0f) == 1024.0f);
static_assert(apply<op::exp2>(-1074.0) == 5e-324 && same(apply<op::expm1>(-infinity32), -1.0f));
static_assert(same(apply<op::log>(0.0f), -infinity32) && same(apply<op::log>(-0.0), -infinity64) &&
              same(apply<op::log>(-1.0f), nan32));
static_assert(same(apply<op::log>(1.0f), 0.0f) && same(apply<op::log>(infinity64), infinity64) &&
              apply<op::log2>(8.0f) == 3.0f && apply<op::log10>(1000.0) == 3.0);
static_assert(same(apply<op::log1p>(-1.0f), -infinity32) && same(apply<op::log1p>(-1.5), nan64));
static_assert(same(apply<op::sin>(infinity32), nan32) && same(apply<op::cos>(-infinity64), nan64) &&
              same(apply<op::tan>(infinity32), nan32) && apply<op::cos>(0.0f) == 1.0f);
static_assert(same(apply<op::tanh>(infinity32), 1.0f) && same(apply<op::tanh>(-infinity64), -1.0) &&
              same(apply<op::erf>(infinity32), 1.0f));
static_assert(same(apply<op::erfc>(-infinity64), 2.0) && same(apply<op::erfc>(infinity32), 0.0f) &&
              apply<op::erfc>(0.0f) == 1.0f);
static_assert(same(apply<op::sigmoid>(infinity32), 1.0f) && same(apply<op::sigmoid>(-infinity64), 0.0) &&
              apply<op::sigmoid>(0.0f) == 0.5f);
static_assert(same(apply<op::sigmoid>(-200.0f), 0.0f) && same(apply<op::sigmoid>(200.0f), 1.0f)); // exp(200) is no NaN

//=== NaN in, NaN out ===//

template <class T> constexpr bool propagates(T nan) {
    return same(apply<op::sqrt>(nan), nan) && same(apply<op::rsqrt>(nan), nan) && same(apply<op::exp>(nan), nan) &&
           same(apply<op::exp2>(nan), nan) && same(apply<op::expm1>(nan), nan) && same(apply<op::log>(nan), nan) &&
           same(apply<op::log2>(nan), nan) && same(apply<op::log10>(nan), nan) && same(apply<op::log1p>(nan), nan) &&
           same(apply<op::sin>(nan), nan) && same(apply<op::cos>(nan), nan) && same(apply<op::tan>(nan), nan) &&
           same(apply<op::tanh>(nan), nan) && same(apply<op::sigmoid>(nan), nan) && same(apply<op::erf>(nan), nan) &&
           same(apply<op::erfc>(nan), nan);
}
static_assert(propagates(nan32) && propagates(nan64));

//=== powers of floating numbers: the special cases of IEEE 754 ===//

static_assert(apply<op::pow>(nan32, 0.0f) == 1.0f && apply<op::pow>(nan64, -0.0) == 1.0 &&
              apply<op::pow>(1.0f, nan32) == 1.0f);
static_assert(same(apply<op::pow>(nan32, 1.0f), nan32) && same(apply<op::pow>(2.0f, nan32), nan32));
static_assert(apply<op::pow>(-2.0f, 3.0f) == -8.0f && apply<op::pow>(-2.0, 2.0) == 4.0 &&
              same(apply<op::pow>(-2.0f, 0.5f), nan32));
static_assert(same(apply<op::pow>(-0.0f, -1.0f), -infinity32) && same(apply<op::pow>(-0.0, 3.0), -0.0) &&
              same(apply<op::pow>(0.0f, -2.0f), infinity32));
static_assert(same(apply<op::pow>(-infinity64, -3.0), -0.0) && same(apply<op::pow>(-1.0f, infinity32), 1.0f) &&
              same(apply<op::pow>(0.5f, infinity32), 0.0f));
static_assert(same(apply<op::pow>(0.5, -infinity64), infinity64) && same(apply<op::pow>(10.0f, 39.0f), infinity32));

//=== powers of integers wrap; negative exponents keep only +1 and -1 ===//

static_assert(apply<op::pow>(3, 4) == 81 && apply<op::pow>(-3, 3) == -27 && apply<op::pow>(0, 0) == 1 &&
              apply<op::pow>(5, 0) == 1);
static_assert(apply<op::pow>(std::int8_t{2}, std::int8_t{7}) == -128 &&
              apply<op::pow>(std::int8_t{2}, std::int8_t{8}) == 0);
static_assert(apply<op::pow>(std::uint8_t{3}, std::uint8_t{5}) == 243 &&
              apply<op::pow>(std::uint8_t{3}, std::uint8_t{6}) == (729 & 255));
static_assert(apply<op::pow>(2, -1) == 0 && apply<op::pow>(1, -7) == 1 && apply<op::pow>(-1, -7) == -1 &&
              apply<op::pow>(-1, -8) == 1 && apply<op::pow>(0, -1) == 0);
static_assert(apply<op::pow>(-1, std::numeric_limits<int>::min()) == 1 &&
              apply<op::pow>(-1, std::numeric_limits<int>::max()) == -1);
static_assert(apply<op::pow>(std::int64_t{3}, std::int64_t{39}) == 4052555153018976267 &&
              apply<op::pow>(std::int64_t{2}, std::int64_t{64}) == 0);

int wrong_integer_powers() {
    int wrong = 0;
    for (int a = -128; a < 128; ++a) {
        unsigned expected = 1; // modulo 2^32, so also modulo 2^8
        for (int b = 0; b < 128; ++b) {
            wrong += apply<op::pow>(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)) !=
                     static_cast<std::int8_t>(expected);
            wrong += apply<op::pow>(a, b) != static_cast<int>(expected);
            expected *= static_cast<unsigned>(a);
        }
    }
    return wrong;
}

} // namespace

TEST_CASE("integer powers are repeated products") { CHECK(wrong_integer_powers() == 0); }

TEST_CASE("constant evaluation and run time give the same bits") {
    constexpr float arguments[] = {-3.7f, -0.25f, 0.1f, 0.5f, 1.0f, 2.5f, 9.75f};
    constexpr float exponentials[] = {apply<op::exp>(-3.7f), apply<op::exp>(-0.25f), apply<op::exp>(0.1f),
                                      apply<op::exp>(0.5f),  apply<op::exp>(1.0f),   apply<op::exp>(2.5f),
                                      apply<op::exp>(9.75f)};
    constexpr float tangents[] = {apply<op::tanh>(-3.7f), apply<op::tanh>(-0.25f), apply<op::tanh>(0.1f),
                                  apply<op::tanh>(0.5f),  apply<op::tanh>(1.0f),   apply<op::tanh>(2.5f),
                                  apply<op::tanh>(9.75f)};
    for (int i = 0; i < 7; ++i) {
        const volatile float x = arguments[i];
        CHECK(same(apply<op::exp>(float{x}), exponentials[i]));
        CHECK(same(apply<op::tanh>(float{x}), tangents[i]));
    }
}
