// Tests of <toroid/reference/tensor.hpp>.

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include <toroid/reference/tensor.hpp>

using namespace toroid;

namespace {

//=== values are brought to the dtype ===//

static_assert(make_reference(f64, {1}, {0.1})[0] == 0.1);
static_assert(make_reference(f32, {1}, {0.1})[0] == static_cast<double>(0.1f));
static_assert(make_reference(f16, {2}, {1.0 + 0x1p-11, 1.0 + 0x3p-11})[0] == 1.0);
static_assert(make_reference(f16, {2}, {1.0 + 0x1p-11, 1.0 + 0x3p-11})[1] == 1.0 + 0x1p-9);
static_assert(make_reference(bf16, {1}, {1.0 + 0x3p-8})[0] == 1.0 + 0x1p-6);
static_assert(make_reference(u8, {3}, {-1, 256, 255}).integer[0] == 255);
static_assert(make_reference(u8, {3}, {-1, 256, 255}).integer[1] == 0);
static_assert(make_reference(i8, {1}, {128}).integer[0] == -128);
static_assert(make_reference(i16, {1}, {40000}).integer[0] == 40000 - 65536);
static_assert(make_reference(i32, {1}, {4294967295.0}).integer[0] == -1);
static_assert(make_reference(boolean, {2}, {2, 0}) == make_reference(boolean, {2}, {1, 0}));

//=== extents ===//

static_assert(make_reference(f32, {}, {3}).size() == 1);
static_assert(make_reference(f32, {}, {3}).rank() == 0);
static_assert(make_reference(f32, {2, 0, 3}, {}).size() == 0);
static_assert(!(make_reference(f64, {1}, {1}) == make_reference(f32, {1}, {1})));
static_assert(!(make_reference(f32, {2, 1}, {1, 2}) == make_reference(f32, {1, 2}, {1, 2})));
static_assert(references(make_reference(f32, {}, {3}), make_reference(i32, {}, {4}))[1][0] == 4);

//=== almost_equal ===//

static_assert(almost_equal(make_reference(f64, {2}, {1.0, 1000.0}), make_reference(f64, {2}, {1.000001, 1000.5}),
                           1e-3));
static_assert(!almost_equal(make_reference(f64, {1}, {1.01}), make_reference(f64, {1}, {1.0}), 1e-3));
static_assert(!almost_equal(make_reference(f64, {1}, {1.0}), make_reference(f64, {1, 1}, {1.0}), 1));
static_assert(!almost_equal(make_reference(i64, {1}, {1}), make_reference(i64, {1}, {2}), 10));

} // namespace

TEST_CASE("reference tensor: another number of values than the extents hold is a fault") {
    CHECK_THROWS_AS(make_reference(f32, {2, 2}, {1, 2, 3}), std::logic_error);
}

TEST_CASE("almost_equal: NaN equals NaN and infinities only themselves") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double inf = std::numeric_limits<double>::infinity();
    CHECK(almost_equal(make_reference(f32, {2}, {nan, inf}), make_reference(f32, {2}, {nan, inf}), 0));
    CHECK_FALSE(almost_equal(make_reference(f32, {1}, {nan}), make_reference(f32, {1}, {0}), 1));
    CHECK_FALSE(almost_equal(make_reference(f32, {1}, {inf}), make_reference(f32, {1}, {-inf}), 1));
    CHECK_FALSE(almost_equal(make_reference(f32, {1}, {1}), make_reference(f32, {1}, {inf}), 1));
}
