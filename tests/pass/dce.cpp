// dce keeps what the outputs reach, in order.

#include <toroid/pass/dce.hpp>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr sketch before() {
    sketch s({2});
    const int unused = s.input();
    const int x = s.input();
    s.named(s.add(op::exp, f32, unused), "dead"); // a label does not keep a node alive
    const int dead_end = s.add(op::neg, f32, x);
    s.add(op::add, f32, dead_end, dead_end);
    const int y = s.named(s.add(op::mul, f32, x, x), "alive");
    s.output(y).output(x).output(y);
    return s;
}
constexpr const char* after = "0 input f32[2]\n"
                              "1 input f32[2]\n"
                              "2 mul f32[2] 1 1 'alive'\n"
                              "-> 2 1 2";

static_assert(reads(dce(before().view()).view(), after));
static_assert(reads(dce(dce(before().view()).view()).view(), after)); // nothing more to drop

// An unused input stays: it may define a symbol, and its extents are checked at entry.
constexpr bool inputs_keep_their_numbers() {
    const graph g = dce(before().view());
    return g.input_count == 2 && g.nodes[0].payload == 0 && g.nodes[1].payload == 1;
}
static_assert(inputs_keep_their_numbers());

static_assert(dce(sketch({2}).view()).nodes.empty());

} // namespace

TEST_CASE("dce drops what no output needs") {
    CHECK(listing(dce(before().view()).view()) == after);
    CHECK(inputs_keep_their_numbers());
}
