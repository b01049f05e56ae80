// fmod and remainder: exactness, signs, special values.

#include <toroid/ops/math/remainder.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== fmod has the sign of the dividend, remainder that of the divisor ===//

static_assert(math::fmod(7.0f, 3.0f) == 1.0f && math::fmod(-7.0, 3.0) == -1.0 && math::fmod(7.0f, -3.0f) == 1.0f);
static_assert(math::remainder(7.0f, 3.0f) == 1.0f && math::remainder(-7.0, 3.0) == 2.0);
static_assert(math::remainder(7.0f, -3.0f) == -2.0f && math::remainder(-7.0, -3.0) == -1.0);
static_assert(same(math::fmod(-6.0f, 3.0f), -0.0f) && same(math::remainder(-6.0f, 3.0f), 0.0f));
static_assert(same(math::remainder(6.0, -3.0), -0.0) && same(math::remainder(-0.0f, 1.0f), 0.0f));

//=== exact over the whole range ===//

static_assert(math::fmod(0x1.fffffep127f, 3.0f) == 0.0f && math::fmod(0x1p127f, 3.0f) == 2.0f);
static_assert(math::fmod(0x1p1023, 3.0) == 2.0 && math::fmod(1e308, 5e-324) == 0.0);
static_assert(math::fmod(1.0f, 0x1.8p-148f) == 0x1p-148f && math::fmod(0x1.8p-148f, 0x1p-148f) == 0x1p-149f);
static_assert(math::fmod(5.5, 0.7) == 0x1.3333333333336p-1);

//=== special values ===//

static_assert(same(math::fmod(1.0f, 0.0f), nan32) && same(math::fmod(infinity64, 2.0), nan64));
static_assert(same(math::fmod(nan32, 1.0f), nan32) && same(math::remainder(1.0, nan64), nan64));
static_assert(same(math::fmod(-1.0f, infinity32), -1.0f) && same(math::remainder(1.0, infinity64), 1.0));
static_assert(same(math::remainder(-1.0f, infinity32), infinity32) && same(math::remainder(0.0, -infinity64), -0.0));
static_assert(same(math::remainder(1.0f, 0.0f), nan32) && same(math::remainder(-infinity64, 2.0), nan64));

TEST_CASE("the division of constant expressions agrees with the C++ library") {
    std::mt19937_64 random(11);
    int different = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = __builtin_bit_cast(double, random());
        const double y = __builtin_bit_cast(double, random());
        different += !same(math::detail::exact_fmod(x, y), std::fmod(x, y));
        different += !same(math::fmod(x, y), std::fmod(x, y));
        const float x32 = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()));
        const float y32 = __builtin_bit_cast(float, static_cast<std::uint32_t>(random() & 0x87ffffffu) | 0x18000000u);
        different += !same(math::detail::exact_fmod(x32, y32), std::fmod(x32, y32));
        different += !same(math::fmod(x32, y32), std::fmod(x32, y32));
    }
    CHECK(different == 0);
}

TEST_CASE("remainder lies between zero and the divisor") {
    std::mt19937_64 random(12);
    int wrong_ones = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-50;
        const double y = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-58;
        const double rest = math::remainder(x, y);
        const double truncated = std::fmod(x, y);
        const double expected =
            truncated != 0 && std::signbit(truncated) != std::signbit(y) ? truncated + y : truncated;
        wrong_ones += rest != expected || std::signbit(rest) != std::signbit(y) || std::fabs(rest) > std::fabs(y);
    }
    CHECK(wrong_ones == 0);
}
