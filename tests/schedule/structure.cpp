// structure: pairs of nodes correspond one to one, and are forgotten at once.

#include <doctest/doctest.h>

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

TEST_CASE("pairs of nodes, in a running program") {
    CHECK(pairs_are_one_to_one());
    CHECK(cleared_pairs_are_gone());
}

} // namespace
} // namespace toroid::tests
