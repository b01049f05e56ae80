// Rounding to integers: ties, signed zeros, huge and special values, and every sampled f32 against the C++ library.

#include <toroid/ops/math/rounding.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== ties go to even, and only in round ===//

static_assert(math::round(0.5f) == 0.0f && math::round(1.5f) == 2.0f && math::round(2.5f) == 2.0f);
static_assert(math::round(-2.5) == -2.0 && math::round(-3.5) == -4.0);
static_assert(math::round(0x1.fffffep-2f) == 0.0f && math::round(0x1.000002p-1f) == 1.0f);
static_assert(math::floor(-0.5f) == -1.0f && math::floor(2.5) == 2.0 && math::floor(-3.0) == -3.0);
static_assert(math::ceil(-2.5f) == -2.0f && math::ceil(2.5) == 3.0 && math::ceil(1e-45f) == 1.0f);
static_assert(math::trunc(-2.9f) == -2.0f && math::trunc(2.9) == 2.0);
static_assert(math::round(8388607.5f) == 8388608.0f && math::floor(8388607.5f) == 8388607.0f);

//=== the sign of zero is that of the argument ===//

static_assert(same(math::floor(-0.0f), -0.0f) && same(math::floor(0.9f), 0.0f));
static_assert(same(math::ceil(-0.9), -0.0) && same(math::ceil(0.0), 0.0));
static_assert(same(math::trunc(-0.9f), -0.0f) && same(math::round(-0.5), -0.0));

//=== integers beyond the fraction, infinity, NaN ===//

static_assert(math::floor(-16777215.0f) == -16777215.0f && math::ceil(3e38f) == 3e38f);
static_assert(same(math::floor(-infinity32), -infinity32) && same(math::round(infinity64), infinity64));
static_assert(same(math::trunc(nan32), nan32) && same(math::ceil(nan64), nan64));

TEST_CASE("rounding agrees with the C++ library for every exponent") {
    int different = 0;
    for_f32_samples([&](float x) {
        different += !same(math::floor(x), std::floor(x)) + !same(math::ceil(x), std::ceil(x));
        different += !same(math::trunc(x), std::trunc(x)) + !same(math::round(x), std::nearbyint(x));
    });
    for_f64_samples([&](double x) {
        different += !same(math::floor(x), std::floor(x)) + !same(math::ceil(x), std::ceil(x));
        different += !same(math::trunc(x), std::trunc(x)) + !same(math::round(x), std::nearbyint(x));
    });
    for (int half = -4001; half <= 4001; ++half) {
        const float x = 0.5f * static_cast<float>(half);
        different += !same(math::floor(x), std::floor(x)) + !same(math::ceil(x), std::ceil(x));
        different += !same(math::trunc(x), std::trunc(x)) + !same(math::round(x), std::nearbyint(x));
    }
    CHECK(different == 0);
}
