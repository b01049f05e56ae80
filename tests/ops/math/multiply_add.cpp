// fma: one rounding in constant expressions as at run time.

#include <toroid/ops/math/multiply_add.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== where two roundings would differ ===//

static_assert(math::fma(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f) == 0x1p-46f);
static_assert(math::fma(0x1.0000000000001p0, 0x1.0000000000001p0, -0x1.0000000000002p0) == 0x1p-104);
// The exact sum lies just above a tie of f32 and rounds to it in f64.
static_assert(math::fma(0x1.000002p0f, 0x1p-24f, 1.0f) == 0x1.000002p0f);
static_assert(math::fma(1.0f, 0x1p-24f, 1.0f) == 1.0f);
// Products outside the range that the sum brings back, and subnormal results.
static_assert(math::fma(0x1p1023, 2.0, -0x1.8p1023) == 0x1p1022);
static_assert(math::fma(0x1p-1000, 0x1p-75, 5e-324) == 1e-323 && math::fma(0x1.8p-1001, 0x1p-75, 5e-324) == 5e-324);
static_assert(math::fma(0x1p-100f, 0x1p-50f, 0x1p-149f) == 0x1p-148f);

//=== special values ===//

static_assert(same(math::fma(infinity32, 0.0f, 1.0f), nan32) && same(math::fma(infinity64, 1.0, -infinity64), nan64));
static_assert(same(math::fma(0.0f, infinity32, nan32), nan32) && same(math::fma(nan64, 1.0, 1.0), nan64));
static_assert(same(math::fma(-infinity32, 2.0f, 1.0f), -infinity32) &&
              same(math::fma(1.0, 1.0, infinity64), infinity64));
static_assert(same(math::fma(0x1p127f, 2.0f, 0.0f), infinity32) && same(math::fma(-0x1p1023, 2.0, 1.0), -infinity64));
static_assert(same(math::fma(-1.0f, 0.0f, 0.0f), 0.0f) && same(math::fma(-1.0, 0.0, -0.0), -0.0));
static_assert(same(math::fma(2.0f, 3.0f, -6.0f), 0.0f) && same(math::fma(2.0, -3.0, 6.0), 0.0));

TEST_CASE("fma of constant expressions agrees with the C++ library") {
    std::mt19937_64 random(13);
    int different = 0;
    for (int i = 0; i < 200000; ++i) {
        double a = __builtin_bit_cast(double, random());
        double b = __builtin_bit_cast(double, random());
        double c = __builtin_bit_cast(double, random());
        if (i % 4 != 0) {
            // An addend of about the size of the product, down to subnormal sums.
            a = std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, -static_cast<int>(random() % 540));
            b = -std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, -static_cast<int>(random() % 540));
            c = a * b *
                -std::ldexp(1.0 + static_cast<double>(random() % 9) * 0x1p-3, static_cast<int>(random() % 120) - 60);
        }
        different += !same(math::detail::exact_multiply_add(a, b, c), std::fma(a, b, c));
        different += !same(math::fma(a, b, c), std::fma(a, b, c));
        float x = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()));
        float y = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()));
        float z = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()));
        if (i % 4 != 0) z = x * y * -std::ldexp(1.0f, static_cast<int>(random() % 60) - 30);
        different += !same(math::detail::exact_multiply_add(x, y, z), std::fma(x, y, z));
        different += !same(math::fma(x, y, z), std::fma(x, y, z));
    }
    CHECK(different == 0);
}
