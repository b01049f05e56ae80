// The frames of a pass: renaming in place and rebuilding, both with labels and validation.

#include <toroid/pass/rewrite.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr sketch chain() {
    sketch s({2});
    const int x = s.input();
    const int a = s.named(s.add(op::neg, f32, x), "negated");
    const int b = s.add(op::identity, f32, a);
    const int c = s.add(op::exp, f32, b);
    s.output(c).output(b);
    return s;
}

//=== renaming: readers and outputs follow, a label moves to a node without one ===//

constexpr graph without_identity() {
    graph g = chain().g;
    renaming names(g.nodes.size());
    g.nodes[2].label = g.push_label("kept");
    for (int i = 0; i < g.nodes.size(); ++i) {
        names.rename(g.nodes[i]);
        if (g.nodes[i].code == op::identity) names.replace(g, i, g.nodes[i].operands[0]);
    }
    return names.finish(std::move(g));
}
constexpr const char* without_identity_text = "0 input f32[2]\n"
                                              "1 neg f32[2] 0 'negated'\n" // its own label stays
                                              "2 identity f32[2] 1 'kept'\n"
                                              "3 exp f32[2] 1\n"
                                              "-> 3 1";
static_assert(reads(without_identity().view(), without_identity_text));

//=== rebuilding: nodes are copied one by one, in a new numbering ===//

constexpr graph rebuilt() {
    const sketch s = chain();
    rewriter pass(s.view());
    pass.constant(i32, 0, 7); // numbers move by one
    for (int i = 0; i < s.view().size; ++i) {
        node n = pass.renamed(i);
        if (n.code == op::neg) {
            n.label = -1;
            pass.map[i] = pass.to.push(n);
            pass.carry_label(i, pass.map[i]);
        } else {
            pass.map[i] = pass.to.push(n);
        }
    }
    return pass.finish();
}
constexpr const char* rebuilt_text = "0 constant i32[2] #7\n"
                                     "1 input f32[2]\n"
                                     "2 neg f32[2] 1 'negated'\n"
                                     "3 identity f32[2] 2\n"
                                     "4 exp f32[2] 3\n"
                                     "-> 4 3";
static_assert(reads(rebuilt().view(), rebuilt_text));

} // namespace

TEST_CASE("the frames of a pass rename readers and outputs") {
    CHECK(listing(without_identity().view()) == without_identity_text);
    CHECK(listing(rebuilt().view()) == rebuilt_text);
}

TEST_CASE("a pass that breaks the graph is stopped") {
    graph g = chain().g;
    g.nodes[1].type = i32;
    CHECK_THROWS_WITH_AS(validated(g), "pass broke the graph", std::logic_error);
    CHECK_NOTHROW(validated(chain().g));
}
