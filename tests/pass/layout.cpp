// layout: copies for values that need storage of their own, and for no others.

#include <toroid/pass/layout.hpp>

#include <type_traits>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');

constexpr int copies(const sketch& s) {
    const graph g = assign_layout(s.view());
    int count = 0;
    for (const node& n : g.nodes) count += n.code == op::identity ? 1 : 0;
    return count;
}

//=== outputs: computed values are their own storage; inputs, constants, views and repetitions are copied ===//

constexpr sketch outputs() {
    sketch s({2, 3});
    const int x = s.named(s.input(), "x");
    const int y = s.add(op::exp, f32, x);
    s.output(y).output(x).output(y).output(s.number(1));
    s.at({3, 2});
    s.output(s.permute(y, {1, 0}));
    return s;
}
constexpr const char* outputs_text = "0 input f32[2,3] 'x'\n"
                                     "1 exp f32[2,3] 0\n"
                                     "2 constant f32[2,3] #1\n"
                                     "3 permute f32[3,2] 1 (10)\n"
                                     "4 identity f32[2,3] 0\n"
                                     "5 identity f32[2,3] 1\n"
                                     "6 identity f32[2,3] 2\n"
                                     "7 identity f32[3,2] 3\n"
                                     "-> 1 4 5 6 7";
static_assert(reads(assign_layout(outputs().view()).view(), outputs_text));
static_assert(reads(assign_layout(outputs().g).view(), outputs_text)); // a graph handed over is laid out likewise

/// Two outputs: a computed value each, or the same one twice.
constexpr sketch computed(bool twice) {
    sketch s({2});
    const int x = s.input();
    const int y = s.add(op::exp, f32, x);
    s.output(s.add(op::neg, f32, y)).output(twice ? s.g.outputs[0].node : y);
    return s;
}
static_assert(is_laid_out(computed(false).view()) && !is_laid_out(computed(true).view()));
static_assert(!is_laid_out(outputs().view()));
static_assert(reads(assign_layout(computed(false).g).view(), "0 input f32[2]\n1 exp f32[2] 0\n2 neg f32[2] 1\n-> 2 1"));
static_assert(copies(computed(false)) == 0 && copies(computed(true)) == 1);

//=== matmul: strided operands stay views; what no strides describe, and constants, are copied ===//

constexpr sketch product(bool transposed_reshape) {
    sketch s({6, 4});
    const int x = s.input();
    const int w = s.at({5, 4}).input();
    const int a = s.at({4, 6}).permute(x, {1, 0});
    const int left = transposed_reshape ? s.at({6, 4}).add(op::reshape, f32, a) : x;
    const int right = s.at({4, 5}).permute(w, {1, 0});
    s.output(s.at({6, 5}).add(op::matmul, f32, left, right));
    return s;
}
static_assert(copies(product(false)) == 0);
constexpr const char* product_text = "0 input f32[6,4]\n"
                                     "1 input f32[5,4]\n"
                                     "2 permute f32[4,6] 0 (10)\n"
                                     "3 identity f32[4,6] 2\n" // below the reshape, not above it
                                     "4 reshape f32[6,4] 3\n"
                                     "5 permute f32[4,5] 1 (10)\n"
                                     "6 matmul f32[6,5] 4 5\n"
                                     "-> 6";

constexpr sketch product_with_constant() {
    sketch s({2, 3});
    const int x = s.input();
    const int one = s.at({3, 4}).number(1);
    s.output(s.at({2, 4}).add(op::matmul, f32, x, one));
    return s;
}
static_assert(copies(product_with_constant()) == 1);

constexpr sketch product_with_broadcast_constant() {
    sketch s({2, 3});
    const int x = s.input();
    const int n = s.at({}).number(1);
    const int wide = s.at({3, 4}).add(op::expand, f32, n);
    s.output(s.at({2, 4}).add(op::matmul, f32, x, wide));
    return s;
}
static_assert(copies(product_with_broadcast_constant()) == 1);

//=== a reshape of a product is the product's own storage ===//

constexpr sketch reshaped_product() {
    sketch s({2, 3});
    const int x = s.input();
    const int w = s.at({3, 4}).input();
    const int y = s.at({2, 4}).add(op::matmul, f32, x, w);
    s.output(s.at({8}).add(op::reshape, f32, y));
    return s;
}
static_assert(copies(reshaped_product()) == 0);

constexpr sketch product_twice() {
    sketch s = reshaped_product();
    s.output(2);
    return s;
}
static_assert(copies(product_twice()) == 1);

//=== concat: a part is written in place when nobody else needs it ===//

constexpr sketch joined(bool also_output, bool twice_the_same, bool from_input) {
    sketch s({2, N});
    const int x = s.input();
    const int a = from_input ? x : s.add(op::exp, f32, x);
    const int b = twice_the_same ? a : s.add(op::neg, f32, x);
    s.at({4, N});
    s.output(s.add(op::concat, f32, a, b, -1, 0));
    if (also_output) s.output(a);
    return s;
}
static_assert(copies(joined(false, false, false)) == 0 && copies(joined(true, false, false)) == 1 &&
              copies(joined(false, true, false)) == 2 && copies(joined(false, false, true)) == 1);

constexpr sketch three_parts() {
    sketch s({2});
    const int x = s.input();
    const int a = s.add(op::exp, f32, x);
    const int b = s.add(op::neg, f32, x);
    const int c = s.add(op::abs, f32, x);
    const int ab = s.at({4}).add(op::concat, f32, a, b);
    s.output(s.at({6}).add(op::concat, f32, ab, c));
    return s;
}
static_assert(copies(three_parts()) == 0);

//=== the stated bound holds ===//

constexpr bool bound_holds(const sketch& s) {
    return assign_layout(s.view()).nodes.size() <= s.view().size + layout_nodes(s.view());
}
static_assert(bound_holds(outputs()) && bound_holds(product(true)) && bound_holds(product_twice()) &&
              bound_holds(joined(true, true, true)));

static_assert(is_computed(op::exp) && is_computed(op::reduce_sum) && !is_computed(op::matmul) &&
              !is_computed(op::input) && !is_computed(op::reshape));

} // namespace

TEST_CASE("layout copies what needs storage") {
    CHECK(listing(assign_layout(outputs().view()).view()) == outputs_text);
    CHECK(listing(assign_layout(product(true).view()).view()) == product_text);
}

TEST_CASE("the label of an output that is a view stays with a node that is computed") {
    sketch s({2, 3});
    const int x = s.input();
    s.at({3, 2});
    s.output(s.named(s.permute(x, {1, 0}), "turned"));
    const graph g = assign_layout(s.view());
    int computed = 0;
    for (int i = 0; i < g.nodes.size(); ++i)
        computed += std::string_view(g.view().label_of(i)) == "turned" && is_computed(g.nodes[i].code) ? 1 : 0;
    CHECK(computed == 1); // else kernel_of("turned") finds no kernel
}

/// Twenty slices into a matmul: more than the resolver of strides follows.
constexpr sketch long_chain() {
    sketch s({40, 3});
    int x = s.input();
    for (int i = 1; i <= 20; ++i) x = s.at({40 - i, 3}).slice(x, 0, 1);
    const int w = s.at({3, 4}).input();
    s.output(s.at({20, 4}).add(op::matmul, f32, x, w));
    return s;
}
/// True when `F` can be called in a constant expression.
template <auto F>
concept constant = requires { typename std::bool_constant<(F(), true)>; };

TEST_CASE("a long chain of views into a matmul is resolved or copied") {
    // Constant evaluation notices reads outside the graph.
    REQUIRE(constant<[] { return assign_layout(long_chain().view()).nodes.size(); }>);
    const graph g = assign_layout(long_chain().view());
    const int left = g.nodes[g.outputs[0].node].operands[0];
    CHECK((resolve_strides(g.view(), left).valid || g.nodes[left].code == op::identity));
}
