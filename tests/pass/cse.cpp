// cse merges nodes that compute the same value, and only those.

#include <toroid/pass/cse.hpp>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

/// Number that stands for node `b` after cse of a graph with the outputs a and b: equal to the first if they merged.
constexpr bool merges(sketch s, int a, int b) {
    s.output(a).output(b);
    const graph g = cse(s.g);
    return g.outputs[0].node == g.outputs[1].node;
}

//=== equal operations on equal operands ===//

constexpr sketch twice(op code, dtype type, bool swapped) {
    sketch s({2});
    const int x = s.input(type);
    const int y = s.input(type);
    const dtype result = code == op::eq || code == op::ne || code == op::lt ? boolean : type;
    s.add(code, result, x, y);
    s.add(code, result, swapped ? y : x, swapped ? x : y);
    return s;
}
static_assert(merges(twice(op::sub, f32, false), 2, 3) && merges(twice(op::pow, f32, false), 2, 3));

//=== commutative operations in either order; the others only in one ===//

static_assert(merges(twice(op::add, f32, true), 2, 3) && merges(twice(op::mul, f32, true), 2, 3) &&
              merges(twice(op::minimum, f32, true), 2, 3));
static_assert(merges(twice(op::maximum, i32, true), 2, 3) && merges(twice(op::eq, f32, true), 2, 3) &&
              merges(twice(op::ne, f32, true), 2, 3));
static_assert(merges(twice(op::logical_and, boolean, true), 2, 3) &&
              merges(twice(op::logical_xor, boolean, true), 2, 3));
static_assert(!merges(twice(op::sub, f32, true), 2, 3) && !merges(twice(op::div, f32, true), 2, 3) &&
              !merges(twice(op::lt, f32, true), 2, 3));
static_assert(!merges(twice(op::fmod, f32, true), 2, 3) && !merges(twice(op::pow, f32, true), 2, 3));

//=== chains merge from the bottom up ===//

constexpr sketch chains() {
    sketch s({2});
    const int x = s.input();
    const int a = s.add(op::exp, f32, x);
    const int b = s.add(op::exp, f32, x);
    const int c = s.add(op::add, f32, a, x);
    const int d = s.add(op::add, f32, x, b);
    s.output(c).output(d);
    return s;
}
constexpr const char* chains_text = "0 input f32[2]\n"
                                    "1 exp f32[2] 0\n"
                                    "2 exp f32[2] 0\n" // left to dce
                                    "3 add f32[2] 1 0\n"
                                    "4 add f32[2] 0 1\n"
                                    "-> 3 3";
static_assert(reads(cse(chains().g).view(), chains_text));

//=== what differs in dtype, shape, payload or start is another value ===//

constexpr sketch constants(double a, double b, dtype first, dtype second) {
    sketch s({2});
    s.number(a, first);
    s.number(b, second);
    return s;
}
static_assert(merges(constants(1, 1, f32, f32), 0, 1) && !merges(constants(1, 2, f32, f32), 0, 1) &&
              !merges(constants(1, 1, f32, f64), 0, 1));
static_assert(!merges(constants(0.0, -0.0, f32, f32), 0, 1)); // equal numbers, different values

constexpr sketch slices(dim first, dim second, int axis, std::int64_t step) {
    sketch s({6, 6});
    const int x = s.input();
    s.at({2, 6});
    s.slice(x, 0, first);
    s.slice(x, axis, second, step);
    return s;
}
static_assert(merges(slices(1, 1, 0, 1), 1, 2) && !merges(slices(1, 2, 0, 1), 1, 2) &&
              !merges(slices(1, 1, 0, 2), 1, 2));

constexpr sketch shapes() {
    sketch s({6});
    const int x = s.input();
    s.at({2, 3}).add(op::reshape, f32, x);
    s.at({3, 2}).add(op::reshape, f32, x);
    s.at({2, 3}).add(op::reshape, f32, x);
    return s;
}
static_assert(!merges(shapes(), 1, 2) && merges(shapes(), 1, 3));

// Two inputs are never one, even of the same shape.
static_assert(!merges(twice(op::add, f32, false), 0, 1));

//=== labels: an unlabelled node joins, two labels stay two nodes ===//

constexpr sketch labelled(const char* first, const char* second, const char* third = nullptr) {
    sketch s({2});
    const int x = s.input();
    for (const char* name : {first, second, third}) {
        const int n = s.add(op::exp, f32, x);
        if (name != nullptr) s.named(n, name);
    }
    return s;
}
static_assert(merges(labelled("a", nullptr), 1, 2) && merges(labelled(nullptr, "a"), 1, 2) &&
              !merges(labelled("a", "b"), 1, 2));

constexpr bool label_moves() {
    sketch s = labelled(nullptr, "a", "b");
    s.output(1).output(2).output(3);
    const graph g = cse(s.g);
    return std::string_view(g.view().label_of(g.outputs[0].node)) == "a" && g.outputs[1].node == g.outputs[0].node &&
           std::string_view(g.view().label_of(g.outputs[2].node)) == "b";
}
static_assert(label_moves());

//=== many nodes: the table grows with the graph ===//

int distinct_after(int count, int different) {
    sketch s({2});
    const int x = s.input();
    for (int i = 0; i < count; ++i) s.output(s.add(op::mul, f32, x, s.number(i % different)));
    const graph g = cse(s.g);
    growable<bool> used(g.nodes.size(), false);
    int distinct = 0;
    for (const graph_output& o : g.outputs) {
        distinct += used[o.node] ? 0 : 1;
        used[o.node] = true;
    }
    return distinct;
}

} // namespace

TEST_CASE("cse merges chains") {
    CHECK(listing(cse(chains().g).view()) == chains_text);
    CHECK(label_moves());
    CHECK(distinct_after(60, 7) == 7);
    CHECK(distinct_after(3000, 1000) == 1000);
}
