// Tests of <toroid/reference/pointwise.hpp>.

#include <doctest/doctest.h>

#include <cmath>

#include "support.hpp"

using namespace reference_tests;

namespace {

/// One pointwise node without a graph around it.
constexpr reference_tensor apply(op code, dtype type, const reference_tensor& a, const reference_tensor& b = {},
                                 const reference_tensor& c = {}) {
    reference_tensor result = zero_reference(type, a.extents);
    detail::interpret_pointwise(code, result, {{&a, &b, &c}});
    return result;
}
constexpr reference_tensor reals(std::initializer_list<double> values) {
    return make_reference(f64, {static_cast<std::int64_t>(values.size())}, values);
}
constexpr reference_tensor integers(dtype type, std::initializer_list<double> values) {
    return make_reference(type, {static_cast<std::int64_t>(values.size())}, values);
}
constexpr reference_tensor bools(std::initializer_list<double> values) { return integers(boolean, values); }

//=== exact operations on floating numbers ===//

static_assert(apply(op::identity, f64, reals({1, -2})) == reals({1, -2}));
static_assert(apply(op::neg, f64, reals({1, -2})) == reals({-1, 2}));
static_assert(apply(op::abs, f64, reals({1, -2})) == reals({1, 2}));
static_assert(apply(op::reciprocal, f64, reals({4, -0.5})) == reals({0.25, -2}));
static_assert(apply(op::square, f64, reals({3, -0.5})) == reals({9, 0.25}));
static_assert(apply(op::sqrt, f64, reals({9, 0.25})) == reals({3, 0.5}));
static_assert(apply(op::relu, f64, reals({3, -1})) == reals({3, 0}));
static_assert(apply(op::floor, f64, reals({1.5, -1.5})) == reals({1, -2}));
static_assert(apply(op::ceil, f64, reals({1.5, -1.5})) == reals({2, -1}));
static_assert(apply(op::trunc, f64, reals({1.5, -1.5})) == reals({1, -1}));
static_assert(apply(op::round, f64, reals({0.5, 1.5, 2.5, -0.5})) == reals({0, 2, 2, -0.0})); // ties to even
static_assert(apply(op::sign, f64, reals({7, -7, 0})) == reals({1, -1, 0}));
static_assert(apply(op::add, f64, reals({1, 2}), reals({3, -4})) == reals({4, -2}));
static_assert(apply(op::sub, f64, reals({1, 2}), reals({3, -4})) == reals({-2, 6}));
static_assert(apply(op::mul, f64, reals({1, 2}), reals({3, -4})) == reals({3, -8}));
static_assert(apply(op::div, f64, reals({1, 2}), reals({4, -4})) == reals({0.25, -0.5}));
static_assert(apply(op::minimum, f64, reals({1, 2}), reals({3, -4})) == reals({1, -4}));
static_assert(apply(op::maximum, f64, reals({1, 2}), reals({3, -4})) == reals({3, 2}));
static_assert(apply(op::fmod, f64, reals({5.5, -5.5}), reals({2, 2})) == reals({1.5, -1.5}));
static_assert(apply(op::remainder, f64, reals({5.5, -5.5}), reals({2, 2})) == reals({1.5, 0.5}));
static_assert(apply(op::fma, f64, reals({2, 3}), reals({5, 7}), reals({1, -1})) == reals({11, 20}));
static_assert(apply(op::pow, f64, reals({2, 3}), reals({10, 0})) == reals({1024, 1}));
static_assert(apply(op::where, f64, bools({1, 0}), reals({1, 2}), reals({3, 4})) == reals({1, 4}));

//=== comparisons and logic ===//

static_assert(apply(op::eq, boolean, reals({1, 2}), reals({1, 3})) == bools({1, 0}));
static_assert(apply(op::ne, boolean, reals({1, 2}), reals({1, 3})) == bools({0, 1}));
static_assert(apply(op::lt, boolean, reals({1, 2, 4}), reals({1, 3, 3})) == bools({0, 1, 0}));
static_assert(apply(op::le, boolean, reals({1, 2, 4}), reals({1, 3, 3})) == bools({1, 1, 0}));
static_assert(apply(op::gt, boolean, reals({1, 2, 4}), reals({1, 3, 3})) == bools({0, 0, 1}));
static_assert(apply(op::ge, boolean, reals({1, 2, 4}), reals({1, 3, 3})) == bools({1, 0, 1}));
static_assert(apply(op::lt, boolean, integers(u8, {200}), integers(u8, {100})) == bools({0})); // not as i8
static_assert(apply(op::logical_and, boolean, bools({0, 0, 1, 1}), bools({0, 1, 0, 1})) == bools({0, 0, 0, 1}));
static_assert(apply(op::logical_or, boolean, bools({0, 0, 1, 1}), bools({0, 1, 0, 1})) == bools({0, 1, 1, 1}));
static_assert(apply(op::logical_xor, boolean, bools({0, 0, 1, 1}), bools({0, 1, 0, 1})) == bools({0, 1, 1, 0}));
static_assert(apply(op::logical_not, boolean, bools({0, 1})) == bools({1, 0}));
static_assert(apply(op::isinf, boolean, reals({1, inf, -inf})) == bools({0, 1, 1}));
static_assert(apply(op::isnan, boolean, integers(i32, {0, 1})) == bools({0, 0}));

//=== integers wrap in their own dtype ===//

static_assert(apply(op::add, i8, integers(i8, {127}), integers(i8, {1})) == integers(i8, {-128}));
static_assert(apply(op::add, u8, integers(u8, {255}), integers(u8, {2})) == integers(u8, {1}));
static_assert(apply(op::sub, u8, integers(u8, {1}), integers(u8, {2})) == integers(u8, {255}));
static_assert(apply(op::mul, i16, integers(i16, {300}), integers(i16, {300})) == integers(i16, {90000 - 65536}));
static_assert(apply(op::mul, i32, integers(i32, {65536}), integers(i32, {65536})) == integers(i32, {0}));
static_assert(apply(op::neg, i8, integers(i8, {-128})) == integers(i8, {-128}));
static_assert(apply(op::abs, i8, integers(i8, {-128, -3})) == integers(i8, {-128, 3}));
static_assert(apply(op::square, u8, integers(u8, {20})) == integers(u8, {400 - 256}));
static_assert(apply(op::fmod, i32, integers(i32, {-7, 7, 7}), integers(i32, {3, -3, 0})) == integers(i32, {-1, 1, 0}));
static_assert(apply(op::remainder, i32, integers(i32, {-7, 7, 7}), integers(i32, {3, -3, 0})) ==
              integers(i32, {2, -2, 0}));
static_assert(apply(op::pow, i8, integers(i8, {2, 2, -1, 3}), integers(i8, {7, 8, -3, -1})) ==
              integers(i8, {-128, 0, -1, 0}));
static_assert(apply(op::fma, u8, integers(u8, {16}), integers(u8, {16}), integers(u8, {3})) == integers(u8, {3}));
static_assert(apply(op::add, boolean, bools({0, 1, 1}), bools({0, 0, 1})) == bools({0, 1, 1}));
static_assert(apply(op::mul, boolean, bools({0, 1, 1}), bools({0, 0, 1})) == bools({0, 0, 1}));
static_assert(apply(op::maximum, boolean, bools({0, 1}), bools({0, 0})) == bools({0, 1}));
static_assert(apply(op::floor, i32, integers(i32, {-3})) == integers(i32, {-3}));
static_assert(apply(op::sign, i32, integers(i32, {-3, 0, 9})) == integers(i32, {-1, 0, 1}));

//=== conversions ===//

static_assert(apply(op::to_dtype, i32, reals({2.9, -2.9, 1e20, -1e20})) ==
              integers(i32, {2, -2, 2147483647.0, -2147483648.0}));
static_assert(apply(op::to_dtype, u8, reals({-3, 300})) == integers(u8, {0, 255}));              // saturates
static_assert(apply(op::to_dtype, u8, integers(i32, {-3, 300})) == integers(u8, {253, 44}));     // wraps
static_assert(apply(op::to_dtype, boolean, reals({0, 0.25, -0.0})) == bools({0, 1, 0}));
static_assert(apply(op::to_dtype, f32, reals({0.1}))[0] == static_cast<double>(0.1f));
static_assert(apply(op::to_dtype, f16, reals({1.0 + 0x1p-12, 1.0 + 0x3p-11})) ==
              make_reference(f16, {2}, {1, 1.0 + 0x1p-9}));
static_assert(apply(op::to_dtype, f64, integers(u8, {255})) == reals({255}));
static_assert(apply(op::to_dtype, f32, integers(i64, {16777217}))[0] == 16777216);

//=== a value of f32 stays unrounded until it is converted ===//

static_assert(apply(op::div, f32, make_reference(f32, {1}, {1}), make_reference(f32, {1}, {3}))[0] == 1.0 / 3.0);

} // namespace

TEST_CASE("interpreter: transcendental functions agree with the C library in double") {
    struct row {
        op code;
        double (*function)(double);
    };
    const row rows[] = {{op::exp, std::exp},
                        {op::exp2, std::exp2},
                        {op::expm1, std::expm1},
                        {op::log, std::log},
                        {op::log2, std::log2},
                        {op::log10, std::log10},
                        {op::log1p, std::log1p},
                        {op::sin, std::sin},
                        {op::cos, std::cos},
                        {op::tan, std::tan},
                        {op::tanh, std::tanh},
                        {op::erf, std::erf},
                        {op::erfc, std::erfc},
                        {op::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
                        {op::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }}};
    const reference_tensor x = reals({0.125, 0.9, 1.0, 2.5, 7.0});
    for (const row& r : rows) {
        const reference_tensor y = apply(r.code, f64, x);
        CAPTURE(name_of(r.code));
        for (int i = 0; i < x.size(); ++i) CHECK(y[i] == doctest::Approx(r.function(x[i])).epsilon(1e-14));
    }
}

TEST_CASE("interpreter: NaN propagates, and compares as unordered") {
    const reference_tensor x = reals({quiet_nan, 1, quiet_nan});
    const reference_tensor y = reals({1, quiet_nan, quiet_nan});
    CHECK(almost_equal(apply(op::maximum, f64, x, y), reals({quiet_nan, quiet_nan, quiet_nan}), 0));
    CHECK(almost_equal(apply(op::minimum, f64, x, y), reals({quiet_nan, quiet_nan, quiet_nan}), 0));
    CHECK(almost_equal(apply(op::relu, f64, x), reals({quiet_nan, 1, quiet_nan}), 0));
    CHECK(apply(op::isnan, boolean, x) == bools({1, 0, 1}));
    CHECK(apply(op::eq, boolean, x, x) == bools({0, 1, 0}));
    CHECK(apply(op::ne, boolean, x, x) == bools({1, 0, 1}));
    CHECK(apply(op::to_dtype, boolean, x) == bools({1, 1, 1}));
    CHECK(apply(op::to_dtype, i32, x) == integers(i32, {0, 1, 0}));
    CHECK(almost_equal(apply(op::sqrt, f64, reals({-1})), reals({quiet_nan}), 0));
    CHECK(almost_equal(apply(op::div, f64, reals({0, 1, -1}), reals({0, 0, 0})), reals({quiet_nan, inf, -inf}), 0));
}
