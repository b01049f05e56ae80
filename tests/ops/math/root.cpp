// Square roots: exact values, special values, constant evaluation against the hardware, error bounds.

#include <toroid/ops/math/root.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== exact and correctly rounded in constant expressions ===//

static_assert(math::sqrt(4.0f) == 2.0f && math::sqrt(2.25) == 1.5 && math::sqrt(0x1p-148f) == 0x1p-74f);
static_assert(math::sqrt(2.0f) == 0x1.6a09e6p0f && math::sqrt(2.0) == 0x1.6a09e667f3bcdp0);
static_assert(math::sqrt(3.0) == 0x1.bb67ae8584caap0 && math::sqrt(5e-324) == 0x1p-537);
static_assert(math::sqrt(0x1.fffffffffffffp1023) == 0x1.fffffffffffffp511);
static_assert(math::rsqrt(0.25f) == 2.0f && math::rsqrt(4.0) == 0.5);

//=== special values ===//

static_assert(same(math::sqrt(-0.0f), -0.0f) && same(math::sqrt(0.0), 0.0));
static_assert(same(math::sqrt(-1.0f), nan32) && same(math::sqrt(-infinity64), nan64) && same(math::sqrt(nan32), nan32));
static_assert(same(math::sqrt(infinity32), infinity32));
static_assert(same(math::rsqrt(0.0f), infinity32) && same(math::rsqrt(-0.0), -infinity64));
static_assert(same(math::rsqrt(infinity32), 0.0f) && same(math::rsqrt(-1.0), nan64) && same(math::rsqrt(nan32), nan32));

TEST_CASE("square root: error bounds") {
    CHECK(max_error_f32([](float x) { return math::sqrt(x); }, [](double x) { return std::sqrt(x); }) <= 0.5);
    CHECK(max_error_f64([](double x) { return math::sqrt(x); }, [](long double x) { return std::sqrt(x); }) <= 0.501);
    CHECK(max_error_f32([](float x) { return math::rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }) <= 1.5);
    CHECK(max_error_f64([](double x) { return math::rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); }) <=
          1.5);
}

TEST_CASE("square root by digits is the square root of the hardware") {
    int different = 0;
    for_f64_samples([&](double x) {
        if (x > 0.0 && !std::isinf(x)) different += !same(math::detail::square_root_by_digits(x), std::sqrt(x));
    });
    CHECK(different == 0);
}
