// structure: pairs of nodes correspond one to one, and are forgotten at once.

#include <doctest/doctest.h>

#include <toroid/expr/expr.hpp>
#include <toroid/pass/pipeline.hpp>
#include <toroid/schedule/structure.hpp>

namespace toroid::tests {
namespace {

constexpr bool pairs_are_one_to_one() {
    detail::node_pairs pairs(8);
    bool right = pairs.match(0, 5) && pairs.match(7, 6);
    right = right && pairs.match(0, 5);                         // known
    right = right && !pairs.match(0, 4) && !pairs.match(3, 5); // one side is taken
    right = right && pairs.partner(0) == 5 && pairs.partner(7) == 6;
    return right && pairs.partner(3) == -1 && pairs.partner(5) == -1; // refused pairs and right sides are no left ones
}
static_assert(pairs_are_one_to_one());

constexpr bool cleared_pairs_are_gone() {
    detail::node_pairs pairs(4);
    pairs.match(0, 1);
    pairs.match(2, 3);
    pairs.clear();
    const bool empty = pairs.partner(0) == -1 && pairs.partner(2) == -1;
    return empty && pairs.match(2, 1) && pairs.partner(2) == 1 && pairs.partner(0) == -1 && !pairs.match(0, 1);
}
static_assert(cleared_pairs_are_gone());

//=== a group that was merged, whose members are in no topological order, is recognised all the same ===//

constexpr auto B = symbol('B');

struct repeated_sums {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, 16, 16> u, tensor<f32, 16, 16> v, tensor<f32, 16> a,
                              tensor<f32, 16> b) const {
        for (int i = 0; i < 4; ++i) x = (matmul(x, u) + a) + (matmul(x, v) + b);
        return x;
    }
};
/// Groups that equal the first one, itself included.
constexpr int groups_like_the_first() {
    const trace t = trace_model<repeated_sums>();
    const graph g = optimize(t.recorded().view());
    fusion_state state(g.view(), targets::cpu::facts);
    state.fuse_vertically();
    const storage_choice storage = choose_storage(state);
    detail::structure_comparison comparison(state, storage);
    int first = -1;
    int count = 0;
    for (int group = 0; group < state.groups.size(); ++group) {
        if (state.groups[group].size != 3) continue;
        first = first < 0 ? group : first;
        count += comparison.same(first, group) ? 1 : 0;
    }
    return count;
}
static_assert(groups_like_the_first() == 4);

TEST_CASE("pairs of nodes, in a running program") {
    CHECK(pairs_are_one_to_one());
    CHECK(cleared_pairs_are_gone());
}

} // namespace
} // namespace toroid::tests
