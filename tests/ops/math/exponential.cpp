// Exponentials: exact values, ends of the range, special values, error bounds.

#include <toroid/ops/math/exponential.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== exact values ===//

static_assert(math::exp(0.0f) == 1.0f && math::exp(-0.0) == 1.0);
static_assert(math::exp(1.0f) == 0x1.5bf0a8p1f && math::expm1(0.0f) == 0.0f);
static_assert(math::exp2(10.0f) == 1024.0f && math::exp2(-3.0) == 0.125 && math::exp2(127.0f) == 0x1p127f);
static_assert(math::exp2(-149.0f) == 0x1p-149f && math::exp2(-1074.0) == 5e-324);

//=== ends of the range: nothing overflows early, nothing is flushed ===//

static_assert(math::exp(88.72283f) < infinity32 && same(math::exp(88.72284f), infinity32));
static_assert(math::exp(709.782712893384) < infinity64 && same(math::exp(709.7827128933841), infinity64));
static_assert(math::exp(-103.0f) > 0.0f && same(math::exp(-104.0f), 0.0f));
static_assert(math::exp(-745.0) == 5e-324 && same(math::exp(-746.0), 0.0));
static_assert(same(math::exp2(128.0f), infinity32) && same(math::exp2(1024.0), infinity64));
static_assert(same(math::exp2(-150.0f), 0.0f) && same(math::exp2(-1075.0), 0.0));
static_assert(same(math::expm1(89.0f), infinity32) && same(math::expm1(710.0), infinity64));

//=== special values ===//

static_assert(same(math::exp(infinity32), infinity32) && same(math::exp(-infinity64), 0.0));
static_assert(same(math::exp2(infinity64), infinity64) && same(math::exp2(-infinity32), 0.0f));
static_assert(same(math::expm1(infinity32), infinity32) && same(math::expm1(-infinity64), -1.0));
static_assert(same(math::exp(nan32), nan32) && same(math::exp2(nan64), nan64) && same(math::expm1(nan32), nan32));
static_assert(same(math::expm1(-0.0f), -0.0f) && same(math::expm1(-0.0), -0.0));
static_assert(math::expm1(1e-40f) == 1e-40f && math::expm1(-5e-324) == -5e-324);

TEST_CASE("exponentials: error bounds") {
    CHECK(max_error_f32([](float x) { return math::exp(x); }, [](double x) { return std::exp(x); }) <= 1.1);
    CHECK(max_error_f64([](double x) { return math::exp(x); }, [](long double x) { return std::exp(x); }) <= 1.2);
    CHECK(max_error_f32([](float x) { return math::exp2(x); }, [](double x) { return std::exp2(x); }) <= 1.1);
    CHECK(max_error_f64([](double x) { return math::exp2(x); }, [](long double x) { return std::exp2(x); }) <= 1.2);
    CHECK(max_error_f32([](float x) { return math::expm1(x); }, [](double x) { return std::expm1(x); }) <= 0.6);
    CHECK(max_error_f64([](double x) { return math::expm1(x); }, [](long double x) { return std::expm1(x); }) <= 1.2);
}
