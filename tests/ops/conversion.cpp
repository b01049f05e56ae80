// Conversions: floating to integer truncates and saturates, NaN becomes 0, integers wrap, casts to halves round.

#include <toroid/ops/conversion.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "math/accuracy.hpp"

using namespace toroid;
using namespace test_math;

namespace {

template <dtype To, class T> constexpr auto cast(T x) { return definition<op::to_dtype>::apply<To>(x); }

//=== floating to integer saturates: the limits, and their neighbours inside and outside ===//

template <dtype To, class Real> constexpr bool saturates() {
    using integer = compute_t<To>;
    constexpr integer low = std::numeric_limits<integer>::min();
    constexpr integer high = std::numeric_limits<integer>::max();
    constexpr Real infinite = std::numeric_limits<Real>::infinity();
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    constexpr Real above = static_cast<Real>(high / 2 + 1) * 2; // a power of two, one more than the largest
    return cast<To>(infinite) == high && cast<To>(-infinite) == low && cast<To>(nan) == 0 && cast<To>(-nan) == 0 &&
           cast<To>(above) == high && cast<To>(above * 4) == high && cast<To>(static_cast<Real>(low)) == low &&
           cast<To>(static_cast<Real>(low) * 2 - 1) == low && cast<To>(Real(1.99)) == 1 && cast<To>(Real(0.99)) == 0 &&
           cast<To>(Real(-0.99)) == 0 && cast<To>(Real(-0.0)) == 0 &&
           cast<To>(std::numeric_limits<Real>::denorm_min()) == 0 &&
           cast<To>(std::numeric_limits<Real>::max()) == high && cast<To>(std::numeric_limits<Real>::lowest()) == low;
}
static_assert(saturates<u8, float>() && saturates<i8, float>() && saturates<i16, float>() && saturates<i32, float>() &&
              saturates<i64, float>());
static_assert(saturates<u8, double>() && saturates<i8, double>() && saturates<i16, double>() &&
              saturates<i32, double>() && saturates<i64, double>());

static_assert(cast<u8>(-1.0f) == 0 && cast<u8>(-0.5f) == 0 && cast<u8>(255.9f) == 255 && cast<u8>(256.0f) == 255);
static_assert(cast<i8>(-128.9f) == -128 && cast<i8>(127.9f) == 127 && cast<i8>(-129.0f) == -128 &&
              cast<i8>(-7.9) == -7);
static_assert(cast<i32>(2147483520.0f) == 2147483520 && cast<i32>(2147483647.0) == 2147483647 &&
              cast<i32>(-2147483648.9) == -2147483648LL);
static_assert(cast<i64>(9223372036854774784.0) == 9223372036854774784LL &&
              cast<i64>(0x1p62f) == (std::int64_t{1} << 62));

//=== integer to integer wraps ===//

static_assert(cast<u8>(300) == 44 && cast<u8>(-1) == 255 && cast<i8>(200) == -56 &&
              cast<i16>(std::int64_t{65536} + 5) == 5);
static_assert(cast<i32>((std::int64_t{1} << 32) - 1) == -1 && cast<i64>(std::int8_t{-5}) == -5 &&
              cast<i64>(std::uint8_t{200}) == 200);
static_assert(cast<i8>(true) == 1 && cast<f32>(true) == 1.0f && cast<f64>(std::int64_t{1} << 53) == 0x1p53);

//=== to bool: anything but zero, NaN included ===//

static_assert(cast<boolean>(nan32) && cast<boolean>(-1) && cast<boolean>(1e-45f) && cast<boolean>(infinity64) &&
              cast<boolean>(256));
static_assert(!cast<boolean>(-0.0f) && !cast<boolean>(0.0) && !cast<boolean>(0) && !cast<boolean>(false));

//=== a cast to a half rounds, and the compute value is the rounded number in f32 ===//

static_assert(std::is_same_v<decltype(cast<f16>(1.0f)), float> && std::is_same_v<decltype(cast<bf16>(1.0)), float>);
static_assert(std::is_same_v<decltype(cast<u8>(1.0f)), std::uint8_t> &&
              std::is_same_v<decltype(cast<boolean>(1)), bool>);
static_assert(cast<f16>(0.1f) == 0x1.998p-4f && cast<bf16>(0.1f) == 0x1.9ap-4f && cast<f16>(2049.0f) == 2048.0f &&
              cast<f16>(2051.0f) == 2052.0f);
static_assert(same(cast<f16>(65520.0f), infinity32) && same(cast<f16>(-1e6f), -infinity32) &&
              cast<f16>(65519.0f) == 65504.0f);
static_assert(same(cast<f16>(nan32), nan32) && same(cast<bf16>(nan64), nan32) && same(cast<f16>(-0.0f), -0.0f) &&
              same(cast<f16>(-1e-9f), -0.0f));
static_assert(cast<f16>(0x1p-24f) == 0x1p-24f && cast<bf16>(257) == 256.0f && cast<bf16>(259) == 260.0f);
static_assert(same(cast<f32>(0.1), 0.1f) && same(cast<f64>(0.1f), static_cast<double>(0.1f)) &&
              same(cast<f32>(nan64), nan32));

} // namespace

TEST_CASE("f64 beyond the range of f32 becomes infinite") {
    const volatile double huge = 1e300;
    CHECK(same(cast<f32>(double{huge}), infinity32));
    CHECK(same(cast<f32>(-double{huge}), -infinity32));
    CHECK(same(cast<f16>(double{huge}), infinity32));
}

TEST_CASE("conversion from f64 and i64 to a half goes through f32, as in PyTorch") {
    // Just above the tie between 1 and the next f16: by way of f32 the excess is lost and the tie goes to even.
    CHECK(cast<f16>(1.0 + 0x1p-11 + 0x1p-40) == 1.0f);
    CHECK(cast<f16>(1.0 + 0x1p-11 + 0x1p-20) == 1.0f + 0x1p-10f);
    CHECK(cast<bf16>(1.0 + 0x1p-8 + 0x1p-40) == 1.0f);
    CHECK(cast<bf16>((std::int64_t{257} << 40) + 1) == static_cast<float>(std::int64_t{256} << 40));
}

TEST_CASE("saturation at run time, where the hardware would give another answer") {
    const volatile float values[] = {nan32, 3e9f, -3e9f, infinity32, -infinity32, 1e20f};
    CHECK(cast<i32>(float{values[0]}) == 0);
    CHECK(cast<i32>(float{values[1]}) == std::numeric_limits<std::int32_t>::max());
    CHECK(cast<i32>(float{values[2]}) == std::numeric_limits<std::int32_t>::min());
    CHECK(cast<u8>(float{values[3]}) == 255);
    CHECK(cast<u8>(float{values[4]}) == 0);
    CHECK(cast<i64>(float{values[5]}) == std::numeric_limits<std::int64_t>::max());
}
