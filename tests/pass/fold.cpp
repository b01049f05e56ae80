// fold: constants through arithmetic, casts and views, with the bits that the operation itself would give.

#include <toroid/pass/fold.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Payload of the only output after folding; the node is a constant.
constexpr node folded(const sketch& s) {
    const graph g = fold(s.g);
    return g.nodes[g.outputs[0].node];
}
constexpr bool folds_to(const sketch& s, double value) {
    const node n = folded(s);
    return n.code == op::constant &&
           std::bit_cast<std::uint64_t>(floating_constant(n)) == std::bit_cast<std::uint64_t>(value);
}
constexpr bool folds_to_integer(const sketch& s, std::int64_t value) {
    const node n = folded(s);
    return n.code == op::constant && n.payload == value;
}
constexpr bool stays(const sketch& s, op code) { return folded(s).code == code; }

constexpr sketch binary(op code, double a, double b, dtype type = f32) {
    sketch s({2});
    const int x = s.number(a, type);
    const int y = s.number(b, type);
    s.output(s.add(code, type, x, y));
    return s;
}
constexpr sketch unary(op code, double a, dtype type = f32) {
    sketch s({2});
    const int x = s.number(a, type);
    s.output(s.add(code, type, x));
    return s;
}
constexpr sketch cast(double value, dtype from, dtype to) {
    sketch s({2});
    const int x = s.number(value, from);
    s.output(s.add(op::to_dtype, to, x));
    return s;
}

//=== arithmetic in the dtype's own precision ===//

static_assert(folds_to(binary(op::add, 1, 2), 3) && folds_to(binary(op::mul, 0.5, 3), 1.5) &&
              folds_to(binary(op::sub, 1, 0.25), 0.75) && folds_to(binary(op::div, 1, 4), 0.25));
static_assert(folds_to(binary(op::add, 16777216, 1), 16777216) &&
              folds_to(binary(op::add, 16777216, 1, f64), 16777217)); // f32 rounds
static_assert(folds_to(binary(op::mul, 0.1, 1), 0.1f) && folds_to(binary(op::mul, 0.1, 1, f64), 0.1));
static_assert(folds_to(binary(op::minimum, 1, -2), -2) && folds_to(binary(op::maximum, -0.0, 0.0), 0.0) &&
              folds_to(unary(op::neg, 0.0), -0.0) && folds_to(unary(op::abs, -3), 3));
static_assert(folds_to(unary(op::sqrt, 2.25), 1.5) && folds_to(unary(op::rsqrt, 4), 0.5) &&
              folds_to(unary(op::reciprocal, 8), 0.125) && folds_to(unary(op::exp, 0), 1) &&
              folds_to(unary(op::log, 1), 0));
static_assert(folds_to(unary(op::identity, -0.0), -0.0));

//=== integers wrap in their own width ===//

static_assert(folds_to_integer(binary(op::add, 100, 100, i8), -56) &&
              folds_to_integer(binary(op::mul, 16, 16, u8), 0) && folds_to_integer(binary(op::sub, 0, 1, u8), 255));
static_assert(folds_to_integer(unary(op::neg, -128, i8), -128) &&
              folds_to_integer(binary(op::add, 2147483647, 1, i32), -2147483648LL));
static_assert(folds_to_integer(binary(op::add, 1, 1, boolean), 1) &&
              folds_to_integer(binary(op::mul, 1, 0, boolean), 0) &&
              folds_to_integer(binary(op::minimum, -5, 3, i64), -5));

//=== casts round, saturate and wrap as at run time ===//

static_assert(folds_to_integer(cast(-2.9, f32, i32), -2) && folds_to_integer(cast(300, f32, u8), 255) &&
              folds_to_integer(cast(-1, f32, u8), 0) &&
              folds_to_integer(cast(infinity, f64, i64), std::numeric_limits<std::int64_t>::max()));
static_assert(folds_to_integer(cast(200, i32, i8), -56) && folds_to_integer(cast(0.5, f32, boolean), 1) &&
              folds_to_integer(cast(-0.0, f32, boolean), 0) && folds_to_integer(cast(7, i64, boolean), 1));
static_assert(folds_to(cast(0.1, f64, f32), 0.1f) && folds_to(cast(0.1, f32, f16), 0x1.998p-4) &&
              folds_to(cast(2049, i32, f16), 2048) && folds_to(cast(1, boolean, f32), 1));

//=== views of a constant are constants; chains fold to the end ===//

constexpr sketch chain() {
    sketch s({1});
    const int a = s.number(2);
    s.at({2, 3});
    const int b = s.add(op::expand, f32, a);
    const int c = s.add(op::mul, f32, b, b);
    s.at({6});
    s.output(s.named(s.add(op::reshape, f32, c), "four"));
    return s;
}
constexpr const char* chain_text = "0 constant f32[1] #2\n"
                                   "1 constant f32[2,3] #2\n"
                                   "2 constant f32[2,3] #4\n"
                                   "3 constant f32[6] #4 'four'\n"
                                   "-> 3";
static_assert(reads(fold(chain().g).view(), chain_text));

constexpr sketch sliced() {
    sketch s({6});
    const int a = s.number(2);
    s.at({2});
    s.output(s.slice(a, 0, 1, 2));
    return s;
}
static_assert(folds_to(sliced(), 2) && folded(sliced()).start == -1);

//=== where: constants on both sides; a constant condition alone is simplify's ===//

constexpr sketch choice(double condition) {
    sketch s({2});
    const int c = s.number(condition, boolean);
    const int a = s.number(1);
    const int b = s.number(2);
    s.output(s.add(op::where, f32, c, a, b));
    return s;
}
static_assert(folds_to(choice(1), 1) && folds_to(choice(0), 2));

//=== what stays: inputs, reductions, operations without a folded formula ===//

constexpr sketch with_input(bool number_first) {
    sketch s({2});
    const int x = s.input();
    const int n = s.number(1);
    s.output(number_first ? s.add(op::add, f32, n, x) : s.add(op::add, f32, x, n));
    return s;
}
static_assert(stays(with_input(true), op::add) && stays(with_input(false), op::add) &&
              stays(unary(op::sin, 1), op::sin));
constexpr sketch summed() {
    sketch s({2, 3});
    const int a = s.number(2);
    s.at({2, 1});
    s.output(s.add(op::reduce_sum, f32, a, -1, -1, 2));
    return s;
}
static_assert(stays(summed(), op::reduce_sum));

constexpr bool folds(const sketch& s) { return !fold(s.g).nodes.empty(); }

/// True when `F` can be called in a constant expression.
template <auto F>
concept constant = requires { typename std::bool_constant<(F(), true)>; };
static_assert(constant<[] { return folds(binary(op::add, 1, 2)); }>);

} // namespace

TEST_CASE("fold runs through a chain") { CHECK(listing(fold(chain().g).view()) == chain_text); }

TEST_CASE("a constant of f32 or a half is the rounded number before it is cast on") {
    // The stored value of 0.1 as f32 is 0.1f; casting it to f64 does not bring the lost digits back.
    CHECK(floating_constant(folded(cast(0.1, f32, f64))) == static_cast<double>(0.1f));
    CHECK(folded(cast(16777217, f32, i64)).payload == 16777216);
    CHECK(floating_constant(folded(cast(0.1, f16, f32))) == 0x1.998p-4);
    CHECK(floating_constant(folded(cast(257, bf16, f32))) == 256);
    CHECK(floating_constant(folded(cast(1e30, f16, f64))) == infinity);
}

TEST_CASE("a constant of a small integer is the wrapped number before it is cast on") {
    CHECK(folded(cast(300, u8, i32)).payload == 44);
    CHECK(folded(cast(-1, u8, i64)).payload == 255);
    CHECK(floating_constant(folded(cast(200, i8, f32))) == -56);
}

TEST_CASE("infinities, NaN and overflow fold without stopping the compiler") {
    // The result may be folded or left to run time; constant evaluation must go on.
    CHECK(constant<[] { return folds(binary(op::sub, infinity, infinity)); }>);
    CHECK(constant<[] { return folds(binary(op::mul, 0, infinity)); }>);
    CHECK(constant<[] { return folds(binary(op::div, infinity, infinity)); }>);
    CHECK(constant<[] { return folds(binary(op::div, 1, 0)); }>);
    CHECK(constant<[] { return folds(binary(op::div, 0, 0)); }>);
    CHECK(constant<[] { return folds(unary(op::reciprocal, 0)); }>);
    CHECK(constant<[] { return folds(binary(op::mul, 3e38, 10)); }>);
    CHECK(constant<[] { return folds(binary(op::add, 1e308, 1e308, f64)); }>);
    CHECK(constant<[] { return folds(binary(op::mul, 1e300, 1)); }>); // beyond f32
    CHECK(constant<[] { return folds(cast(1e300, f64, f32)); }>);
    CHECK(constant<[] { return folds(cast(1e300, f64, f16)); }>);
    CHECK(constant<[] { return folds(unary(op::sqrt, -1)); }>);
    CHECK(constant<[] { return folds(unary(op::log, 0)); }>);
    CHECK(constant<[] { return folds(unary(op::exp, 1000)); }>);
    CHECK(constant<[] { return folds(unary(op::rsqrt, 0)); }>);
    CHECK(constant<[] { return folds(binary(op::add, std::numeric_limits<double>::quiet_NaN(), 1)); }>);
}
