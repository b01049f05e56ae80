// Sign and class: values, zeros, NaN, and every sampled f32 against the C++ library.

#include <toroid/ops/math/classification.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== special values ===//

static_assert(same(math::abs(-0.0f), 0.0f));
static_assert(same(math::abs(-infinity64), infinity64));
static_assert(same(math::copysign(3.0f, -0.0f), -3.0f));
static_assert(same(math::copysign(-3.0, 1.0), 3.0));
static_assert(math::isnan(nan32) && math::isnan(-nan64) && !math::isnan(infinity32) && !math::isnan(0.0));
static_assert(math::isinf(-infinity32) && math::isinf(infinity64) && !math::isinf(nan32) && !math::isinf(1e308));

// A zero keeps its sign and NaN stays NaN.
static_assert(same(math::sign(-2.5f), -1.0f) && same(math::sign(5e-324), 1.0) && same(math::sign(infinity32), 1.0f));
static_assert(same(math::sign(-0.0f), -0.0f) && same(math::sign(0.0), 0.0));
static_assert(same(math::sign(nan32), nan32) && same(math::sign(nan64), nan64));

TEST_CASE("classification agrees with the C++ library for every exponent") {
    int different = 0;
    for_f32_samples([&](float x) {
        different += !same(math::abs(x), std::fabs(x));
        different += math::isnan(x) != std::isnan(x);
        different += math::isinf(x) != std::isinf(x);
        different += !same(math::sign(x), static_cast<float>((x > 0) - (x < 0))) && x != 0 && !std::isnan(x);
    });
    for_f64_samples([&](double x) {
        different += !same(math::abs(x), std::fabs(x));
        different += math::isnan(x) != std::isnan(x);
        different += math::isinf(x) != std::isinf(x);
        different += !same(math::sign(x), static_cast<double>((x > 0) - (x < 0))) && x != 0 && !std::isnan(x);
    });
    CHECK(different == 0);
}
