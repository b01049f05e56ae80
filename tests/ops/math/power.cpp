// pow: the special cases of IEEE 754 in constant expressions and at run time, error bounds.

#include <toroid/ops/math/power.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== exact values ===//

static_assert(math::pow(2.0f, 10.0f) == 1024.0f && math::pow(2.0, -1074.0) == 5e-324 && math::pow(9.0f, 0.5f) == 3.0f);
static_assert(math::pow(-2.0f, 3.0f) == -8.0f && math::pow(-2.0, 2.0) == 4.0 && math::pow(10.0, 22.0) == 1e22);

//=== 1 whatever the other argument ===//

static_assert(math::pow(nan32, 0.0f) == 1.0f && math::pow(nan64, -0.0) == 1.0 && math::pow(0.0f, 0.0f) == 1.0f);
static_assert(math::pow(1.0f, nan32) == 1.0f && math::pow(1.0, infinity64) == 1.0 &&
              math::pow(-1.0f, infinity32) == 1.0f);
static_assert(same(math::pow(-1.0, nan64), nan64) && same(math::pow(nan32, 2.0f), nan32));

//=== zeros and infinities; an odd integer keeps the sign ===//

static_assert(same(math::pow(-0.0f, -1.0f), -infinity32) && same(math::pow(-0.0f, -2.0f), infinity32));
static_assert(same(math::pow(-0.0, 3.0), -0.0) && same(math::pow(-0.0, 0.5), 0.0));
static_assert(same(math::pow(0.0f, -0.5f), infinity32) && same(math::pow(0.0, 1e-300), 0.0));
static_assert(same(math::pow(-infinity32, 3.0f), -infinity32) && same(math::pow(-infinity64, -3.0), -0.0));
static_assert(same(math::pow(-infinity32, 0.5f), infinity32) && same(math::pow(infinity64, -1.0), 0.0));
static_assert(same(math::pow(0.5f, infinity32), 0.0f) && same(math::pow(2.0, -infinity64), 0.0));
static_assert(same(math::pow(0.5, -infinity64), infinity64) && same(math::pow(-2.0f, infinity32), infinity32));
static_assert(same(math::pow(-8.0f, 1.0f / 3.0f), nan32) && same(math::pow(-2.0, 0.5), nan64));
// 2^53 + 2 is even, like every f64 above it; 2^24 - 1 is the largest odd f32.
static_assert(same(math::pow(-1.0, 9007199254740994.0), 1.0) && same(math::pow(-1.0f, 16777215.0f), -1.0f));

//=== range ===//

static_assert(same(math::pow(2.0f, 128.0f), infinity32) && same(math::pow(-2.0, 1025.0), -infinity64));
static_assert(same(math::pow(0.5f, 151.0f), 0.0f) && same(math::pow(-0.5, 1077.0), -0.0));
static_assert(same(math::pow(0x1.fffffffffffffp-1, 1e308), 0.0) && math::pow(1e300, 5e-324) == 1.0);

TEST_CASE("pow of special values agrees with the C++ library") {
    const float values[] = {0.0f,  1.0f,        2.0f,        3.0f,       0.5f,       1.5f, 1e-40f,
                            1e30f, 16777215.0f, 16777216.0f, 8388607.5f, infinity32, nan32};
    int different = 0;
    for (const float x_size : values)
        for (const float y_size : values)
            for (const float x : {x_size, -x_size})
                for (const float y : {y_size, -y_size}) {
                    const double expected = std::pow(static_cast<double>(x), static_cast<double>(y));
                    different += !same(math::pow(x, y), static_cast<float>(expected));
                    const double result = math::pow(static_cast<double>(x), static_cast<double>(y));
                    different += !same(result, expected) && !(ulp_error(result, expected) <= 1.5);
                }
    CHECK(different == 0);
}

TEST_CASE("pow: error bounds") {
    std::mt19937_64 random(7);
    const auto uniform = [&] { return static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63; };
    double largest32 = 0.0;
    double largest64 = 0.0;
    for (int i = 0; i < 200000; ++i) {
        // Bases of all magnitudes, and near 1 where large exponents stay in range.
        const double x = i % 2 == 0 ? std::exp(uniform() * 700.0) : 1.0 + std::ldexp(uniform(), -1 - i % 40);
        const double y = uniform() * 750.0 / std::fabs(std::log(x));
        largest64 = std::max(
            largest64, ulp_error(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
        const float x32 = static_cast<float>(i % 2 == 0 ? std::exp(uniform() * 80.0) : x);
        const float y32 = static_cast<float>(uniform() * 105.0 / std::fabs(std::log(static_cast<double>(x32))));
        const double expected = std::pow(static_cast<double>(x32), static_cast<double>(y32));
        largest32 = std::max(largest32, ulp_error(math::pow(x32, y32), expected));
    }
    CHECK(largest32 <= 0.6);
    CHECK(largest64 <= 1.5);
}
