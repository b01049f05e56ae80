// Sine, cosine, tangent: special values, the hardest arguments, error bounds over all exponents.

#include <toroid/ops/math/trigonometric.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== special values ===//

static_assert(same(math::sin(-0.0f), -0.0f) && same(math::sin(0.0), 0.0) && same(math::tan(-0.0), -0.0));
static_assert(math::cos(0.0f) == 1.0f && math::cos(-0.0) == 1.0);
static_assert(math::sin(1e-40f) == 1e-40f && math::tan(-5e-324) == -5e-324);
static_assert(same(math::sin(infinity32), nan32) && same(math::cos(-infinity64), nan64) &&
              same(math::tan(infinity32), nan32));
static_assert(same(math::sin(nan64), nan64) && same(math::cos(nan32), nan32) && same(math::tan(nan64), nan64));

//=== the neighbours of pi and of its multiples, in constant expressions ===//

static_assert(math::sin(0x1.921fb6p1f) == -0x1.777a5cp-24f && math::cos(0x1.921fb6p0f) == -0x1.777a5cp-25f);
static_assert(math::sin(0x1.921fb54442d18p1) == 0x1.1a62633145c07p-53);
static_assert(math::cos(0x1.921fb54442d18p0) == 0x1.1a62633145c07p-54);
// The f64 nearest to a multiple of pi/2 (W. Kahan): about 2^-61 from it.
static_assert(math::cos(6381956970095103.0 * 0x1p797) == -0x1.14ae72e6ba22fp-61);

TEST_CASE("trigonometric functions: error bounds") {
    CHECK(max_error_f32([](float x) { return math::sin(x); }, [](double x) { return std::sin(x); }) <= 2.0);
    CHECK(max_error_f64([](double x) { return math::sin(x); }, [](long double x) { return std::sin(x); }) <= 1.0);
    CHECK(max_error_f32([](float x) { return math::cos(x); }, [](double x) { return std::cos(x); }) <= 2.0);
    CHECK(max_error_f64([](double x) { return math::cos(x); }, [](long double x) { return std::cos(x); }) <= 1.0);
    CHECK(max_error_f32([](float x) { return math::tan(x); }, [](double x) { return std::tan(x); }) <= 1.0);
    CHECK(max_error_f64([](double x) { return math::tan(x); }, [](long double x) { return std::tan(x); }) <= 2.5);
}

TEST_CASE("trigonometric functions near multiples of pi/2") {
    double largest32 = 0.0;
    double largest64 = 0.0;
    for (int multiple = 1; multiple < 20000; ++multiple) {
        const double angle = multiple * 1.5707963267948966;
        const float rounded = static_cast<float>(angle);
        largest32 = std::max(largest32, ulp_error(math::sin(rounded), std::sin(static_cast<double>(rounded))));
        largest32 = std::max(largest32, ulp_error(math::cos(rounded), std::cos(static_cast<double>(rounded))));
        largest64 = std::max(largest64, ulp_error(math::sin(angle), std::sin(static_cast<long double>(angle))));
        largest64 = std::max(largest64, ulp_error(math::cos(angle), std::cos(static_cast<long double>(angle))));
    }
    CHECK(largest32 <= 2.0);
    CHECK(largest64 <= 1.0);
}
