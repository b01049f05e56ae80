// simplify: identities that hold for every value, and traps that look like identities and are none.

#include <toroid/pass/simplify.hpp>

#include <limits>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

/// `code(x, number)`, or `code(number, x)`, of a dtype: does the result become x (node 0), the number (node 1), or stay?
enum class becomes { itself, operand, number };
constexpr becomes with_number(op code, dtype type, double value, bool number_first = false) {
    sketch s({2});
    const int x = s.input(type);
    const int n = s.number(value, type);
    s.output(number_first ? s.add(code, type, n, x) : s.add(code, type, x, n));
    const graph g = simplify(s.g);
    return g.outputs[0].node == x ? becomes::operand : g.outputs[0].node == n ? becomes::number : becomes::itself;
}

//=== x + 0: exact for integers; for floating numbers only x + -0, because -0 + 0 is +0 ===//

static_assert(with_number(op::add, i32, 0) == becomes::operand &&
              with_number(op::add, u8, 0, true) == becomes::operand);
static_assert(with_number(op::add, f32, 0.0) == becomes::itself &&
              with_number(op::add, f32, 0.0, true) == becomes::itself);
static_assert(with_number(op::add, f32, -0.0) == becomes::operand &&
              with_number(op::add, f64, -0.0, true) == becomes::operand);
static_assert(with_number(op::add, f16, 0.0) == becomes::itself &&
              with_number(op::add, boolean, 0) == becomes::operand);

//=== x - 0 is x, -0 included; x - -0 is not; 0 - x is no negation ===//

static_assert(with_number(op::sub, f32, 0.0) == becomes::operand && with_number(op::sub, i64, 0) == becomes::operand);
static_assert(with_number(op::sub, f32, -0.0) == becomes::itself &&
              with_number(op::sub, f32, 0.0, true) == becomes::itself);
static_assert(with_number(op::sub, i32, 0, true) == becomes::itself);

//=== x * 1 is x; x * 0 is 0 for integers only: NaN * 0 is NaN and -1 * 0 is -0 ===//

static_assert(with_number(op::mul, f32, 1.0) == becomes::operand &&
              with_number(op::mul, i8, 1, true) == becomes::operand);
static_assert(with_number(op::mul, i32, 0) == becomes::number &&
              with_number(op::mul, i32, 0, true) == becomes::number &&
              with_number(op::mul, boolean, 0) == becomes::number);
static_assert(with_number(op::mul, f32, 0.0) == becomes::itself &&
              with_number(op::mul, f64, -0.0, true) == becomes::itself);
static_assert(with_number(op::mul, f32, -1.0) == becomes::itself);

//=== x / 1, pow(x, 1); nothing for 1 / x ===//

static_assert(with_number(op::div, f32, 1.0) == becomes::operand &&
              with_number(op::div, f32, 1.0, true) == becomes::itself &&
              with_number(op::div, f32, 0.5) == becomes::itself);
static_assert(with_number(op::pow, f32, 1.0) == becomes::operand && with_number(op::pow, i32, 1) == becomes::operand);
static_assert(with_number(op::pow, f32, 1.0, true) == becomes::itself &&
              with_number(op::pow, f32, 0.0) == becomes::itself);
static_assert(with_number(op::minimum, f32, 0.0) == becomes::itself &&
              with_number(op::maximum, f32, -std::numeric_limits<double>::infinity()) == becomes::itself);

/// Does `code(x, x)` become x?
constexpr bool collapses(op code, dtype type) {
    sketch s({2});
    const int x = s.input(type);
    s.output(s.add(code, type, x, x));
    return simplify(s.g).outputs[0].node == x;
}
static_assert(collapses(op::minimum, f32) && collapses(op::maximum, i32) && collapses(op::logical_and, boolean) &&
              collapses(op::logical_or, boolean));
static_assert(!collapses(op::sub, f32) && !collapses(op::div, f32) && !collapses(op::add, f32) &&
              !collapses(op::logical_xor, boolean));

/// The operand that `outer(inner(x))` becomes: 0 for x, 1 for inner(x), 2 for itself.
constexpr int twice(op inner, op outer, dtype type = f32) {
    sketch s({2});
    const int a = s.add(inner, type, s.input(type));
    s.output(s.add(outer, type, a));
    return simplify(s.g).outputs[0].node;
}
static_assert(twice(op::neg, op::neg) == 0 && twice(op::neg, op::neg, i32) == 0 &&
              twice(op::logical_not, op::logical_not, boolean) == 0);
static_assert(twice(op::relu, op::relu) == 1 && twice(op::abs, op::abs, i8) == 1 && twice(op::floor, op::floor) == 1 &&
              twice(op::round, op::round) == 1);
static_assert(twice(op::ceil, op::ceil) == 1 && twice(op::trunc, op::trunc) == 1);
static_assert(twice(op::exp, op::log) == 2 && twice(op::neg, op::abs) == 2 && twice(op::floor, op::ceil) == 2 &&
              twice(op::reciprocal, op::reciprocal) == 2 && twice(op::square, op::sqrt) == 2);
// An identity is a copy that somebody asked for.
static_assert(twice(op::neg, op::identity) == 2);

//=== pow(x, 2) is a product; the label stays ===//

constexpr sketch squared() {
    sketch s({2});
    const int x = s.input();
    s.output(s.named(s.add(op::pow, f32, x, s.number(2)), "square"));
    return s;
}
constexpr const char* squared_text = "0 input f32[2]\n"
                                     "1 constant f32[2] #2\n"
                                     "2 mul f32[2] 0 0 'square'\n"
                                     "-> 2";
static_assert(reads(simplify(squared().g).view(), squared_text));

//=== where: a constant condition, or equal sides ===//

constexpr int chosen(double condition, bool equal_sides = false) {
    sketch s({2});
    const int a = s.input();
    const int b = s.input();
    const int c = condition < 0 ? s.input(boolean) : s.number(condition, boolean);
    s.output(s.add(op::where, f32, c, a, equal_sides ? a : b));
    return simplify(s.g).outputs[0].node;
}
static_assert(chosen(1) == 0 && chosen(0) == 1 && chosen(-1) == 3 && chosen(-1, true) == 0);

//=== casts: to the same dtype, none; through another dtype, both ===//

constexpr int cast_back(dtype from, dtype through) {
    sketch s({2});
    const int x = s.input(from);
    s.output(s.add(op::to_dtype, from, s.add(op::to_dtype, through, x)));
    return simplify(s.g).outputs[0].node;
}
static_assert(cast_back(f32, f32) == 0 && cast_back(f32, f16) == 2 && cast_back(i32, f32) == 2);

//=== views compose, and vanish where they compose to nothing ===//

constexpr sketch permuted() {
    sketch s({2, 3, 4});
    const int x = s.input();
    const int a = s.at({4, 2, 3}).permute(x, {2, 0, 1});
    const int b = s.at({3, 4, 2}).permute(a, {2, 0, 1});
    const int c = s.at({2, 3, 4}).permute(b, {2, 0, 1});
    s.output(b).output(c);
    return s;
}
constexpr const char* permuted_text = "0 input f32[2,3,4]\n"
                                      "1 permute f32[4,2,3] 0 (201)\n"
                                      "2 permute f32[3,4,2] 0 (120)\n"
                                      "3 permute f32[2,3,4] 0 (012)\n"
                                      "-> 2 0";
static_assert(reads(simplify(permuted().g).view(), permuted_text));

constexpr sketch reshaped() {
    sketch s({2, 3});
    const int x = s.input();
    const int a = s.at({6}).add(op::reshape, f32, x);
    const int b = s.at({3, 2}).add(op::reshape, f32, a);
    const int c = s.at({2, 3}).add(op::reshape, f32, b);
    s.output(b).output(c);
    return s;
}
static_assert(reads(simplify(reshaped().g).view(), "0 input f32[2,3]\n"
                                                   "1 reshape f32[6] 0\n"
                                                   "2 reshape f32[3,2] 0\n"
                                                   "3 reshape f32[2,3] 0\n"
                                                   "-> 2 0"));

constexpr sketch expanded() {
    sketch s({3});
    const int x = s.input();
    const int a = s.at({2, 3}).add(op::expand, f32, x);
    const int b = s.at({4, 2, 3}).add(op::expand, f32, a);
    s.output(b);
    return s;
}
static_assert(reads(simplify(expanded().g).view(), "0 input f32[3]\n"
                                                   "1 expand f32[2,3] 0\n"
                                                   "2 expand f32[4,2,3] 0\n"
                                                   "-> 2"));

//=== a reduction over axes of extent 1 ===//

constexpr int reduced(op code, dtype type) {
    sketch s({2, 1});
    const int x = s.input(type);
    s.output(s.add(code, is_arg_reduction(code) ? i64 : type, x, -1, -1, 2));
    const graph g = simplify(s.g);
    return g.nodes[g.outputs[0].node].code == op::constant ? -1 : g.outputs[0].node;
}
static_assert(reduced(op::reduce_max, f32) == 0 && reduced(op::reduce_sum, i64) == 0 &&
              reduced(op::reduce_any, boolean) == 0 && reduced(op::reduce_argmax, f32) == -1);

//=== replacements chain, and a label of what vanished moves ===//

constexpr sketch chained() {
    sketch s({2});
    const int x = s.input();
    const int one = s.number(1);
    const int a = s.add(op::mul, f32, x, one);
    const int b = s.named(s.add(op::div, f32, a, one), "unchanged");
    const int c = s.add(op::exp, f32, b);
    s.output(c).output(b);
    return s;
}
constexpr const char* chained_text = "0 input f32[2] 'unchanged'\n"
                                     "1 constant f32[2] #1\n"
                                     "2 mul f32[2] 0 1\n"
                                     "3 div f32[2] 0 1 'unchanged'\n"
                                     "4 exp f32[2] 0\n"
                                     "-> 4 0";
static_assert(reads(simplify(chained().g).view(), chained_text));

} // namespace

TEST_CASE("simplify rewrites in place") {
    CHECK(listing(simplify(squared().g).view()) == squared_text);
    CHECK(listing(simplify(permuted().g).view()) == permuted_text);
    CHECK(listing(simplify(chained().g).view()) == chained_text);
}
