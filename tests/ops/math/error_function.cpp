// erf and erfc: special values, the far tail, error bounds.

#include <toroid/ops/math/error_function.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

static_assert(same(math::erf(-0.0f), -0.0f) && same(math::erf(0.0), 0.0));
static_assert(same(math::erf(infinity32), 1.0f) && same(math::erf(-infinity64), -1.0));
static_assert(same(math::erf(nan32), nan32) && same(math::erf(nan64), nan64));
static_assert(math::erf(0x1p-140f) == 0x1.21p-140f && math::erf(-5e-324) == -5e-324);
static_assert(math::erf(4.0f) == 1.0f && math::erf(-6.0) == -1.0);

static_assert(math::erfc(0.0f) == 1.0f && math::erfc(-0.0) == 1.0);
static_assert(same(math::erfc(infinity32), 0.0f) && same(math::erfc(-infinity64), 2.0));
static_assert(same(math::erfc(nan32), nan32) && same(math::erfc(nan64), nan64));
// The right tail ends with the subnormal numbers.
static_assert(math::erfc(10.0f) > 0.0f && same(math::erfc(10.1f), 0.0f));
static_assert(math::erfc(27.2) > 0.0 && same(math::erfc(27.3), 0.0));

TEST_CASE("error functions: error bounds") {
    CHECK(max_error_f32([](float x) { return math::erf(x); }, [](double x) { return std::erf(x); }) <= 1.5);
    CHECK(max_error_f64([](double x) { return math::erf(x); }, [](long double x) { return std::erf(x); }) <= 2.0);
    CHECK(max_error_f32([](float x) { return math::erfc(x); }, [](double x) { return std::erfc(x); }) <= 1.0);
    CHECK(max_error_f64([](double x) { return math::erfc(x); }, [](long double x) { return std::erfc(x); }) <= 4.0);
}
