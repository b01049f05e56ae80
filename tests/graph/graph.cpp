// The graph: interned tables, views of growing and frozen graphs, use counts.

#include <toroid/graph/graph.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');

/// exp(x) * x + 1, and exp(x) as a second output.
constexpr sketch example() {
    sketch s({N, 4});
    const int x = s.input();
    const int e = s.named(s.add(op::exp, f32, x), "powers");
    const int product = s.add(op::mul, f32, e, x);
    const int sum = s.add(op::add, f32, product, s.number(1));
    s.g.guards.push({guard_kind::less_or_equal, false, N, 64});
    s.output(sum).output(e);
    return s;
}
constexpr const char* example_text = "0 input f32[N,4]\n"
                                     "1 exp f32[N,4] 0 'powers'\n"
                                     "2 mul f32[N,4] 1 0\n"
                                     "3 constant f32[N,4] #1\n"
                                     "4 add f32[N,4] 2 3\n"
                                     "-> 4 1";

//=== interning: one entry per distinct dim and shape ===//

constexpr bool tables_are_interned() {
    sketch s({N, 4, N});
    const int first = s.shape;
    s.at({4, N});
    const int second = s.shape;
    s.at({N, 4, N});
    return s.shape == first && second != first && s.g.shapes.size() == 2 && s.g.dims.size() == 2 &&
           s.g.intern(dim(4)) == 1 && s.g.intern(2 * N) == 2;
}
static_assert(tables_are_interned());

//=== freezing keeps every table, also in larger arrays ===//

constexpr auto frozen = freeze<5, 1, 2, 1, 2, 1>(example().view());
constexpr auto roomy = freeze<9, 3, 5, 4, 4, 2>(example().view());
static_assert(frozen.size() == 5 && frozen.sizes.outputs == 2 && frozen.sizes.guards == 1 && frozen.input_count == 1);
static_assert(reads(frozen.view(), example_text) && reads(roomy.view(), example_text) && roomy.sizes.nodes == 5);
static_assert(frozen.guards[0] == guard{guard_kind::less_or_equal, false, N, 64});
static_assert(frozen.view().extents_of(1) == shape{2, {N, 4}} && frozen.view().numel(1) == 4 * N);
static_assert(frozen.view().rank_of(0) == 2 && frozen.view().extent(0, 1) == dim(4));

constexpr auto nothing = freeze<0, 0, 0, 0, 0, 0>(graph().view());
static_assert(nothing.size() == 0 && nothing.view().output_count == 0);

//=== a rebuilt graph starts with the tables and without nodes ===//

constexpr bool tables_are_copied() {
    const sketch s = example();
    const graph g = graph::with_tables_of(s.view());
    return g.nodes.empty() && g.outputs.empty() && g.dims.size() == s.g.dims.size() &&
           g.shapes.size() == s.g.shapes.size() && g.labels.size() == 1 && g.guards.size() == 1 && g.input_count == 1;
}
static_assert(tables_are_copied());

//=== uses: operands and outputs ===//

constexpr bool counts_uses() {
    const growable<int> uses = use_counts(frozen.view());
    return uses[0] == 2 && uses[1] == 2 && uses[2] == 1 && uses[3] == 1 && uses[4] == 1;
}
static_assert(counts_uses());

} // namespace

TEST_CASE("a graph and its frozen copies read the same") {
    CHECK(listing(example().view()) == example_text);
    CHECK(listing(frozen.view()) == example_text);
    CHECK(std::string(frozen.view().label_of(1)) == "powers");
    CHECK(std::string(frozen.view().label_of(0)).empty());
    CHECK(tables_are_interned());
    CHECK(tables_are_copied());
}
