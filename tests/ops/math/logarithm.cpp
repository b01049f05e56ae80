// Logarithms: exact values, special values, error bounds.

#include <toroid/ops/math/logarithm.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== exact values ===//

static_assert(same(math::log(1.0f), 0.0f) && same(math::log(1.0), 0.0) && same(math::log1p(0.0f), 0.0f));
static_assert(math::log2(1024.0f) == 10.0f && math::log2(0.125) == -3.0);
static_assert(math::log2(0x1p-149f) == -149.0f && math::log2(5e-324) == -1074.0);
static_assert(math::log10(1000.0f) == 3.0f && math::log10(1e22) == 22.0);
static_assert(math::log2(0x1p127f) == 127.0f && math::log2(0x1p1023) == 1023.0 && math::log(0x1p127f) > 88.0f);
static_assert(math::log(2.0f) == 0x1.62e43p-1f && math::log(2.0) == 0x1.62e42fefa39efp-1);
static_assert(math::log1p(1e-40f) == 1e-40f && math::log1p(-5e-324) == -5e-324);

//=== special values ===//

static_assert(same(math::log(0.0f), -infinity32) && same(math::log(-0.0), -infinity64));
static_assert(same(math::log2(-0.0f), -infinity32) && same(math::log10(0.0), -infinity64));
static_assert(same(math::log(-1.0f), nan32) && same(math::log2(-5e-324), nan64) &&
              same(math::log10(-infinity32), nan32));
static_assert(same(math::log(infinity32), infinity32) && same(math::log2(infinity64), infinity64));
static_assert(same(math::log10(infinity32), infinity32) && same(math::log1p(infinity64), infinity64));
static_assert(same(math::log(nan32), nan32) && same(math::log1p(nan32), nan32) && same(math::log10(nan64), nan64));
static_assert(same(math::log1p(-0.0f), -0.0f) && same(math::log1p(-0.0), -0.0));
static_assert(same(math::log1p(-1.0f), -infinity32) && same(math::log1p(-1.0), -infinity64));
static_assert(same(math::log1p(-1.5f), nan32) && same(math::log1p(-infinity64), nan64));

TEST_CASE("logarithms: error bounds") {
    CHECK(max_error_f32([](float x) { return math::log(x); }, [](double x) { return std::log(x); }) <= 1.1);
    CHECK(max_error_f64([](double x) { return math::log(x); }, [](long double x) { return std::log(x); }) <= 1.0);
    CHECK(max_error_f32([](float x) { return math::log2(x); }, [](double x) { return std::log2(x); }) <= 0.6);
    CHECK(max_error_f64([](double x) { return math::log2(x); }, [](long double x) { return std::log2(x); }) <= 1.0);
    CHECK(max_error_f32([](float x) { return math::log10(x); }, [](double x) { return std::log10(x); }) <= 0.6);
    CHECK(max_error_f64([](double x) { return math::log10(x); }, [](long double x) { return std::log10(x); }) <= 1.0);
    CHECK(max_error_f32([](float x) { return math::log1p(x); }, [](double x) { return std::log1p(x); }) <= 0.6);
    CHECK(max_error_f64([](double x) { return math::log1p(x); }, [](long double x) { return std::log1p(x); }) <= 1.0);
}
