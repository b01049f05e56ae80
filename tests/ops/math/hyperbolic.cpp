// tanh and sigmoid: special values, saturation, error bounds.

#include <toroid/ops/math/hyperbolic.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

static_assert(same(math::tanh(-0.0f), -0.0f) && same(math::tanh(0.0), 0.0));
static_assert(math::tanh(1e-40f) == 1e-40f && math::tanh(-5e-324) == -5e-324);
static_assert(same(math::tanh(infinity32), 1.0f) && same(math::tanh(-infinity64), -1.0));
static_assert(math::tanh(20.0f) == 1.0f && math::tanh(-30.0) == -1.0);
static_assert(same(math::tanh(nan32), nan32) && same(math::tanh(nan64), nan64));

static_assert(math::sigmoid(0.0f) == 0.5f && math::sigmoid(-0.0) == 0.5);
static_assert(same(math::sigmoid(-infinity32), 0.0f) && same(math::sigmoid(infinity64), 1.0));
static_assert(same(math::sigmoid(nan32), nan32) && same(math::sigmoid(nan64), nan64));
// The left tail ends with the subnormal numbers, as that of exp.
static_assert(math::sigmoid(-103.0f) == 0x1p-149f && same(math::sigmoid(-104.0f), 0.0f));
static_assert(math::sigmoid(-745.0) == 5e-324);

TEST_CASE("hyperbolic functions: error bounds") {
    const auto sigmoid = [](auto x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); };
    CHECK(max_error_f32([](float x) { return math::tanh(x); }, [](double x) { return std::tanh(x); }) <= 1.5);
    CHECK(max_error_f64([](double x) { return math::tanh(x); }, [](long double x) { return std::tanh(x); }) <= 2.5);
    CHECK(max_error_f32([](float x) { return math::sigmoid(x); }, sigmoid) <= 2.0);
    CHECK(max_error_f64([](double x) { return math::sigmoid(x); }, sigmoid) <= 2.0);
}
