// Pointwise functions and operators: result dtypes of every one, promotion with numbers, and what they record.

#include <toroid/expr/pointwise.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');
template <dtype T> constexpr tensor<T, N, 4> x{};
constexpr tensor<f32, 4> row;

//=== one operand, `same`: numbers keep their dtype ===//

template <dtype T> constexpr bool same_rule() {
    return gives<decltype(neg(x<T>)), T, N, 4> && gives<decltype(abs(x<T>)), T, N, 4> &&
           gives<decltype(square(x<T>)), T, N, 4> && gives<decltype(relu(x<T>)), T, N, 4> &&
           gives<decltype(sign(x<T>)), T, N, 4> && gives<decltype(floor(x<T>)), T, N, 4> &&
           gives<decltype(ceil(x<T>)), T, N, 4> && gives<decltype(trunc(x<T>)), T, N, 4> &&
           gives<decltype(round(x<T>)), T, N, 4> && gives<decltype(-x<T>), T, N, 4>;
}
static_assert(same_rule<u8>() && same_rule<i8>() && same_rule<i16>() && same_rule<i32>() && same_rule<i64>());
static_assert(same_rule<f16>() && same_rule<bf16>() && same_rule<f32>() && same_rule<f64>());

//=== one operand, `floating`: integers and bool become f32 ===//

template <dtype T, dtype R> constexpr bool floating_rule() {
    return gives<decltype(sqrt(x<T>)), R, N, 4> && gives<decltype(rsqrt(x<T>)), R, N, 4> &&
           gives<decltype(exp(x<T>)), R, N, 4> && gives<decltype(exp2(x<T>)), R, N, 4> &&
           gives<decltype(expm1(x<T>)), R, N, 4> && gives<decltype(log(x<T>)), R, N, 4> &&
           gives<decltype(log2(x<T>)), R, N, 4> && gives<decltype(log10(x<T>)), R, N, 4> &&
           gives<decltype(log1p(x<T>)), R, N, 4> && gives<decltype(sin(x<T>)), R, N, 4> &&
           gives<decltype(cos(x<T>)), R, N, 4> && gives<decltype(tan(x<T>)), R, N, 4> &&
           gives<decltype(tanh(x<T>)), R, N, 4> && gives<decltype(sigmoid(x<T>)), R, N, 4> &&
           gives<decltype(erf(x<T>)), R, N, 4> && gives<decltype(erfc(x<T>)), R, N, 4> &&
           gives<decltype(reciprocal(x<T>)), R, N, 4>;
}
static_assert(floating_rule<boolean, f32>() && floating_rule<u8, f32>() && floating_rule<i64, f32>());
static_assert(floating_rule<f16, f16>() && floating_rule<bf16, bf16>() && floating_rule<f32, f32>() &&
              floating_rule<f64, f64>());

//=== tests and logic are bool ===//

static_assert(gives<decltype(isnan(x<f16>)), boolean, N, 4> && gives<decltype(isinf(x<i32>)), boolean, N, 4>);
static_assert(gives<decltype(logical_not(x<f32>)), boolean, N, 4> && gives<decltype(!x<boolean>), boolean, N, 4>);
static_assert(gives<decltype(x<f32> < row), boolean, N, 4> && gives<decltype(x<i64> == 3), boolean, N, 4> &&
              gives<decltype(1.5 >= x<f32>), boolean, N, 4>);
static_assert(gives<decltype(x<boolean> && x<f32>), boolean, N, 4> && gives<decltype(x<i32> || true), boolean, N, 4> &&
              gives<decltype(logical_xor(x<u8>, 1)), boolean, N, 4>);
static_assert(gives<decltype(x<f32> != 0), boolean, N, 4> && gives<decltype(x<f32> <= row), boolean, N, 4> &&
              gives<decltype(x<f32> > row), boolean, N, 4>);

//=== two operands promote as tensors do ===//

static_assert(gives<decltype(x<u8> + x<i8>), i16, N, 4> && gives<decltype(x<i64> * x<f16>), f16, N, 4> &&
              gives<decltype(x<f16> - x<bf16>), f32, N, 4>);
static_assert(gives<decltype(x<boolean> + x<boolean>), boolean, N, 4> && gives<decltype(x<boolean> * x<u8>), u8, N, 4>);
static_assert(gives<decltype(x<i32> / x<i32>), f32, N, 4> && gives<decltype(x<i64> / x<f64>), f64, N, 4> &&
              gives<decltype(x<boolean> / x<boolean>), f32, N, 4>);
static_assert(gives<decltype(minimum(x<i32>, x<i64>)), i64, N, 4> &&
              gives<decltype(maximum(x<boolean>, x<boolean>)), boolean, N, 4>);
static_assert(gives<decltype(fmod(x<f32>, row)), f32, N, 4> && gives<decltype(remainder(x<i32>, x<u8>)), i32, N, 4> &&
              gives<decltype(pow(x<f32>, x<i32>)), f32, N, 4>);
static_assert(gives<decltype(fma(x<f16>, x<f16>, row)), f32, N, 4> &&
              gives<decltype(fma(x<i8>, x<i8>, x<i8>)), i8, N, 4>);

//=== a number raises the category only ===//

static_assert(gives<decltype(x<f16> + 1.5), f16, N, 4> && gives<decltype(2 * x<bf16>), bf16, N, 4> &&
              gives<decltype(x<u8> + 1), u8, N, 4>);
static_assert(gives<decltype(x<i32> * 0.5f), f32, N, 4> && gives<decltype(x<i64> - 0.5), f32, N, 4> &&
              gives<decltype(x<boolean> + 1), i64, N, 4>);
static_assert(gives<decltype(x<boolean> * 0.5), f32, N, 4> && gives<decltype(1 / x<i32>), f32, N, 4> &&
              gives<decltype(pow(x<i32>, 2)), i32, N, 4>);
static_assert(gives<decltype(1 - x<f64>), f64, N, 4> && gives<decltype(maximum(x<i8>, 0)), i8, N, 4> &&
              gives<decltype(pow(2.0, x<i32>)), f32, N, 4>);
static_assert(gives<decltype(x<f32> + true), f32, N, 4> && gives<decltype(minimum(0.5, x<f16>)), f16, N, 4> &&
              gives<decltype(x<i32> + 3LL), i32, N, 4>);

//=== where: the condition's dtype does not count ===//

static_assert(gives<decltype(where(x<boolean>, x<f16>, x<f32>)), f32, N, 4> &&
              gives<decltype(where(x<f64>, x<i8>, x<u8>)), i16, N, 4>);
static_assert(gives<decltype(where(x<boolean>, x<f16>, 0.0)), f16, N, 4> &&
              gives<decltype(where(x<boolean>, 1, row)), f32, N, 4>);

//=== what is recorded: casts first, then views, then the operation ===//

struct mixed {
    constexpr auto operator()(tensor<i32, N, 4> a, tensor<f32, 4> b) const { return a + b; }
};
constexpr const char* mixed_text = "0 input i32[N,4] 'input0'\n"
                                   "1 input f32[4] 'input1'\n"
                                   "2 to_dtype f32[N,4] 0\n"
                                   "3 expand f32[N,4] 1\n"
                                   "4 add f32[N,4] 2 3\n"
                                   "-> 4";

struct scalars {
    constexpr auto operator()(tensor<i32, 2> a) const { return std::tuple{2 - a, a * 0.5, a < 3, -a}; }
};
constexpr const char* scalars_text = "0 input i32[2] 'input0'\n"
                                     "1 constant i32[2] #2\n"
                                     "2 sub i32[2] 1 0\n"
                                     "3 constant f32[2] #0.5\n"
                                     "4 to_dtype f32[2] 0\n"
                                     "5 mul f32[2] 4 3\n"
                                     "6 constant i32[2] #3\n"
                                     "7 lt bool[2] 0 6\n"
                                     "8 neg i32[2] 0\n"
                                     "-> 2 5 7 8";

struct selecting {
    constexpr auto operator()(tensor<f32, 2, 1> c, tensor<f32, 3> a) const { return where(c, a, 0.25); }
};
constexpr const char* selecting_text = "0 input f32[2,1] 'input0'\n"
                                       "1 input f32[3] 'input1'\n"
                                       "2 constant f32[3] #0.25\n"
                                       "3 to_dtype bool[2,1] 0\n"
                                       "4 expand bool[2,3] 3\n"
                                       "5 expand f32[2,3] 1\n"
                                       "6 expand f32[2,3] 2\n"
                                       "7 where f32[2,3] 4 5 6\n"
                                       "-> 7";
static_assert(records<mixed>(mixed_text) && records<scalars>(scalars_text) && records<selecting>(selecting_text));

} // namespace

TEST_CASE("a pointwise operation casts, broadcasts, computes") {
    CHECK(recording<mixed>() == mixed_text);
    CHECK(recording<scalars>() == scalars_text);
}

TEST_CASE("every function records its own operation") {
    trace t;
    const auto a = detail::record<tensor<f32, 2>>(t, op::input);
    const auto code = [&](auto y) { return t.recorded().nodes[y.id].code; };
    CHECK(code(neg(a)) == op::neg);
    CHECK(code(abs(a)) == op::abs);
    CHECK(code(reciprocal(a)) == op::reciprocal);
    CHECK(code(square(a)) == op::square);
    CHECK(code(sqrt(a)) == op::sqrt);
    CHECK(code(rsqrt(a)) == op::rsqrt);
    CHECK(code(exp(a)) == op::exp);
    CHECK(code(exp2(a)) == op::exp2);
    CHECK(code(expm1(a)) == op::expm1);
    CHECK(code(log(a)) == op::log);
    CHECK(code(log2(a)) == op::log2);
    CHECK(code(log10(a)) == op::log10);
    CHECK(code(log1p(a)) == op::log1p);
    CHECK(code(sin(a)) == op::sin);
    CHECK(code(cos(a)) == op::cos);
    CHECK(code(tan(a)) == op::tan);
    CHECK(code(tanh(a)) == op::tanh);
    CHECK(code(sigmoid(a)) == op::sigmoid);
    CHECK(code(erf(a)) == op::erf);
    CHECK(code(erfc(a)) == op::erfc);
    CHECK(code(relu(a)) == op::relu);
    CHECK(code(floor(a)) == op::floor);
    CHECK(code(ceil(a)) == op::ceil);
    CHECK(code(trunc(a)) == op::trunc);
    CHECK(code(round(a)) == op::round);
    CHECK(code(sign(a)) == op::sign);
    CHECK(code(logical_not(a)) == op::logical_not);
    CHECK(code(isnan(a)) == op::isnan);
    CHECK(code(isinf(a)) == op::isinf);
    CHECK(code(a + a) == op::add);
    CHECK(code(a - 1) == op::sub);
    CHECK(code(2 * a) == op::mul);
    CHECK(code(a / a) == op::div);
    CHECK(code(minimum(a, 1)) == op::minimum);
    CHECK(code(maximum(1, a)) == op::maximum);
    CHECK(code(fmod(a, 2)) == op::fmod);
    CHECK(code(remainder(a, 2)) == op::remainder);
    CHECK(code(pow(a, 2)) == op::pow);
    CHECK(code(a == a) == op::eq);
    CHECK(code(a != 1) == op::ne);
    CHECK(code(a < 1) == op::lt);
    CHECK(code(a <= 1) == op::le);
    CHECK(code(1 > a) == op::gt);
    CHECK(code(1 >= a) == op::ge);
    CHECK(code(a && a) == op::logical_and);
    CHECK(code(a || true) == op::logical_or);
    CHECK(code(logical_xor(a, a)) == op::logical_xor);
    CHECK(code(where(a, a, a)) == op::where);
    CHECK(code(fma(a, a, a)) == op::fma);
}

TEST_CASE("operands of two traces do not mix") {
    trace first;
    trace second;
    const auto a = detail::record<tensor<f32, 2>>(first, op::input);
    const auto b = detail::record<tensor<f32, 2>>(second, op::input);
    CHECK_THROWS_WITH_AS(static_cast<void>(a + b), "toroid E026: tensor belongs to another trace", std::logic_error);
    CHECK_THROWS_WITH_AS(static_cast<void>(where(a, a, b)), "toroid E026: tensor belongs to another trace",
                         std::logic_error);
}
