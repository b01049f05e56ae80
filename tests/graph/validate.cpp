// validate finds each broken invariant and names the node that breaks it.

#include <toroid/graph/validate.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

using namespace toroid;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');

constexpr bool finds(const sketch& s, graph_fault fault, int node) {
    const validation v = validate(s.view());
    return v.fault == fault && v.node == node;
}
constexpr bool accepts_graph(const sketch& s) { return validate(s.view()).ok(); }

//=== a valid graph with every kind of node ===//

constexpr sketch valid() {
    sketch s({N, 4});
    const int x = s.input();
    const int e = s.add(op::exp, f32, x);
    s.at({4, N});
    const int transposed = s.permute(e, {1, 0});
    s.at({4 * N});
    const int flat = s.add(op::reshape, f32, e);
    const int copy = s.add(op::identity, f32, flat);
    s.at({4, 1});
    const int summed = s.add(op::reduce_sum, f32, transposed, -1, -1, 2);
    s.at({4, N});
    const int wide = s.add(op::expand, f32, summed);
    const int mask = s.add(op::lt, boolean, wide, transposed);
    const int picked = s.add(op::where, f32, mask, wide, transposed);
    const int soft = s.add(op::softmax, f32, picked, -1, -1, 2);
    s.at({2, N});
    const int part = s.slice(soft, 0, 1, 2);
    s.at({2, 4});
    const int product = s.add(op::matmul, f32, part, x);
    s.at({2, 1});
    const int mean = s.add(op::mean, f32, product, -1, -1, 2);
    s.output(mean).output(copy);
    return s;
}
static_assert(accepts_graph(valid()) && accepts_graph(sketch{}));

//=== structure ===//

constexpr sketch five(op code, dtype type, int a, int b = -1, int c = -1, std::int64_t payload = 0) {
    sketch s({2, 3});
    s.input();
    s.input();
    s.input(i32);
    s.input(boolean);
    s.add(code, type, a, b, c, payload);
    return s;
}
static_assert(accepts_graph(five(op::add, f32, 0, 1)));
static_assert(finds(five(op::add, f32, 4, 1), graph_fault::operand_order, 4) &&
              finds(five(op::neg, f32, 7), graph_fault::operand_order, 4));
static_assert(finds(five(op::add, f32, 0), graph_fault::arity, 4) &&
              finds(five(op::neg, f32, 0, 1), graph_fault::arity, 4));
static_assert(finds(five(op::input, f32, 0), graph_fault::arity, 4) &&
              finds(five(op::where, f32, 3, 0), graph_fault::arity, 4));
static_assert(finds(five(op::neg, f32, -1, 0), graph_fault::arity, 4));

constexpr sketch with_broken_tables(int shape, int label) {
    sketch s = five(op::add, f32, 0, 1);
    s.g.nodes[4].shape = shape;
    s.g.nodes[4].label = label;
    return s;
}
static_assert(finds(with_broken_tables(1, -1), graph_fault::table_index, 4) &&
              finds(with_broken_tables(-1, -1), graph_fault::table_index, 4));
static_assert(finds(with_broken_tables(0, 0), graph_fault::table_index, 4));

constexpr sketch with_output(int node) { return five(op::add, f32, 0, 1).output(node); }
static_assert(accepts_graph(with_output(4)) && finds(with_output(5), graph_fault::output, 5) &&
              finds(with_output(-1), graph_fault::output, -1));

//=== dtypes ===//

static_assert(finds(five(op::add, f32, 0, 2), graph_fault::operand_dtype, 4));    // no promotion inside the graph
static_assert(finds(five(op::add, i32, 0, 1), graph_fault::result_dtype, 4));
static_assert(finds(five(op::lt, f32, 0, 1), graph_fault::result_dtype, 4) &&
              accepts_graph(five(op::lt, boolean, 2, 2)));
static_assert(finds(five(op::exp, i32, 2), graph_fault::result_dtype, 4) &&
              finds(five(op::exp, f64, 0), graph_fault::result_dtype, 4));
static_assert(finds(five(op::logical_and, boolean, 0, 1), graph_fault::operand_dtype, 4) &&
              accepts_graph(five(op::logical_not, boolean, 3)));
static_assert(finds(five(op::where, f32, 0, 0, 1), graph_fault::operand_dtype, 4) &&
              finds(five(op::where, f32, 3, 0, 2), graph_fault::operand_dtype, 4));
static_assert(finds(five(op::where, i32, 3, 0, 1), graph_fault::result_dtype, 4) &&
              accepts_graph(five(op::where, f32, 3, 0, 1)));
static_assert(accepts_graph(five(op::to_dtype, i64, 0)) &&
              finds(five(op::reshape, f64, 0), graph_fault::result_dtype, 4));

//=== shapes ===//

constexpr sketch shaped(std::initializer_list<dim> from, std::initializer_list<dim> to, op code,
                        std::int64_t payload = 0) {
    sketch s(from);
    s.input();
    s.at(to).add(code, f32, 0, -1, -1, payload);
    s.g.nodes[1].start = s.g.intern(dim(0));
    return s;
}
static_assert(finds(shaped({2, 3}, {3, 2}, op::neg), graph_fault::operand_shape, 1));
static_assert(finds(shaped({2, 3}, {2, 4}, op::reshape), graph_fault::element_count, 1) &&
              accepts_graph(shaped({2, N}, {2 * N}, op::reshape)));
static_assert(finds(shaped({2, N}, {N}, op::reshape), graph_fault::element_count, 1));
static_assert(accepts_graph(shaped({2, 3}, {3, 2}, op::permute, 0x01)) &&
              finds(shaped({2, 3}, {2, 3}, op::permute, 0x01), graph_fault::permutation, 1));
static_assert(finds(shaped({2, 3}, {3}, op::permute, 0x01), graph_fault::permutation, 1));
static_assert(finds(shaped({2, 3}, {3, 2}, op::permute, 0x05), graph_fault::permutation, 1));
static_assert(accepts_graph(shaped({1, 3}, {5, 2, 3}, op::expand)) &&
              finds(shaped({2, 3}, {3}, op::expand), graph_fault::broadcast, 1));
static_assert(finds(shaped({2, 3}, {2, 6}, op::expand), graph_fault::broadcast, 1) &&
              finds(shaped({2}, {2, 3}, op::expand), graph_fault::broadcast, 1));
static_assert(accepts_graph(shaped({4, 3}, {2, 3}, op::slice, slice_payload(0, 2))));
static_assert(finds(shaped({4, 3}, {4}, op::slice, slice_payload(0, 1)), graph_fault::slice_axis, 1));
static_assert(finds(shaped({4, 3}, {4, 3}, op::slice, slice_payload(2, 1)), graph_fault::slice_axis, 1));
static_assert(accepts_graph(shaped({2, 3}, {1, 3}, op::reduce_max, 1)) &&
              finds(shaped({2, 3}, {1, 3}, op::reduce_max, 2), graph_fault::reduced_extent, 1));
static_assert(finds(shaped({2, 3}, {3}, op::reduce_max, 1), graph_fault::reduced_extent, 1) &&
              finds(shaped({2, 3}, {2, 3}, op::mean, 2), graph_fault::reduced_extent, 1));
static_assert(accepts_graph(shaped({2, 3}, {2, 3}, op::softmax, 2)) &&
              finds(shaped({2, 3}, {2, 1}, op::softmax, 2), graph_fault::reduced_extent, 1));

constexpr sketch product(std::initializer_list<dim> a, std::initializer_list<dim> b, std::initializer_list<dim> c) {
    sketch s(a);
    s.input();
    s.at(b).input();
    s.at(c).add(op::matmul, f32, 0, 1);
    return s;
}
static_assert(accepts_graph(product({N, 4}, {4, 5}, {N, 5})) &&
              accepts_graph(product({7, N, 4}, {7, 4, 5}, {7, N, 5})));
static_assert(finds(product({N, 4}, {5, 4}, {N, 4}), graph_fault::contraction, 2) &&
              finds(product({4}, {4, 5}, {5}), graph_fault::contraction, 2));
static_assert(finds(product({N, 4}, {4, 5}, {N, 4}), graph_fault::contraction, 2) &&
              finds(product({3, 4}, {4, 5}, {5, 3}), graph_fault::contraction, 2));

//=== the first fault is the one reported ===//

constexpr sketch twice_broken() {
    sketch s = five(op::add, f32, 0, 2);
    s.add(op::neg, f32, 9);
    return s;
}
static_assert(finds(twice_broken(), graph_fault::operand_dtype, 4));

constexpr sketch joined(dtype a, dtype b, std::initializer_list<dim> second, std::initializer_list<dim> result,
                        int axis) {
    sketch s({2, 3});
    s.input(a);
    s.at(second).input(b);
    s.at(result).add(op::concat, a, 0, 1, -1, axis);
    return s;
}

} // namespace

TEST_CASE("a valid graph of every kind of node passes at run time") {
    CHECK(validate(valid().view()).ok());
    CHECK(validate(valid().view()).node == -1);
}

TEST_CASE("a permutation names every axis once") {
    // Both axes of the result have the right extent, but the second axis of the operand is lost.
    CHECK_FALSE(accepts_graph(shaped({2, 2}, {2, 2}, op::permute, 0x00)));
}

TEST_CASE("the parts of a concat fit together") {
    CHECK(accepts_graph(joined(f32, f32, {4, 3}, {6, 3}, 0)));
    CHECK_FALSE(accepts_graph(joined(f32, f32, {4, 3}, {5, 3}, 0)));
    CHECK_FALSE(accepts_graph(joined(f32, f32, {4, 2}, {6, 3}, 0)));
    CHECK_FALSE(accepts_graph(joined(f32, i32, {4, 3}, {6, 3}, 0)));
    CHECK_FALSE(accepts_graph(joined(f32, f32, {4, 3}, {6, 3}, 2)));
}

TEST_CASE("batch axes and dtypes of a matmul agree") {
    CHECK_FALSE(accepts_graph(product({7, N, 4}, {6, 4, 5}, {7, N, 5})));
    sketch mixed = product({N, 4}, {4, 5}, {N, 5});
    mixed.g.nodes[1].type = f64;
    CHECK_FALSE(accepts_graph(mixed));
}

TEST_CASE("reductions have the dtype of their operand, tests are bool, indices i64") {
    sketch sum = shaped({2, 3}, {1, 3}, op::reduce_sum, 1);
    CHECK(accepts_graph(sum));
    sum.g.nodes[1].type = boolean;
    CHECK_FALSE(accepts_graph(sum));
    CHECK_FALSE(accepts_graph(shaped({2, 3}, {1, 3}, op::reduce_argmax, 1))); // f32
}

TEST_CASE("a slice stays inside its operand and keeps the other axes") {
    CHECK_FALSE(accepts_graph(shaped({4, 3}, {2, 5}, op::slice, slice_payload(0, 1))));
    CHECK_FALSE(accepts_graph(shaped({4, 3}, {3, 3}, op::slice, slice_payload(0, 2)))); // 0, 2, 4
}
