// A node: the payload encodings are inverses, labels hold 63 characters, shapes compare by value.

#include <toroid/graph/node.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace toroid;

namespace {

constexpr dim N = symbol('N');

//=== shapes ===//

constexpr shape two_by_n = {2, {2, N}};
static_assert(two_by_n.numel() == 2 * N && two_by_n[1] == N && shape{}.numel() == dim(1));
static_assert(two_by_n == shape{2, {2, N}} && !(two_by_n == shape{2, {N, 2}}) && !(two_by_n == shape{3, {2, N}}));

//=== payloads: eight axes of a permutation, and steps of either sign ===//

constexpr bool permutations_round_trip() {
    std::int64_t payload = 0;
    for (int a = 0; a < max_rank; ++a) payload |= static_cast<std::int64_t>(max_rank - 1 - a) << (4 * a);
    for (int a = 0; a < max_rank; ++a)
        if (permutation_axis(payload, a) != max_rank - 1 - a) return false;
    return true;
}
static_assert(permutations_round_trip());

constexpr bool slices_round_trip() {
    for (int axis = 0; axis < max_rank; ++axis)
        for (const std::int64_t step :
             {std::int64_t{1}, std::int64_t{-1}, std::int64_t{7}, std::int64_t{-300}, std::int64_t{1} << 40}) {
            const std::int64_t payload = slice_payload(axis, step);
            if (slice_axis(payload) != axis || slice_step(payload) != step) return false;
        }
    return true;
}
static_assert(slices_round_trip());

static_assert(has_axis(0b101, 0) && !has_axis(0b101, 1) && has_axis(0b101, 2) && !has_axis(0b101, 7));

//=== labels ===//

static_assert(std::string_view(make_label("scores").text) == "scores" && make_label("a") == make_label("a"));
static_assert(!(make_label("a") == make_label("ab")) && std::string_view(make_label("").text).empty());

constexpr node nan_constant() {
    node n;
    n.code = op::constant;
    n.payload = std::bit_cast<std::int64_t>(-0.0);
    return n;
}
static_assert(std::bit_cast<std::uint64_t>(floating_constant(nan_constant())) == 0x8000000000000000u);

} // namespace

TEST_CASE("a label holds 63 characters and no more") {
    const std::string longest(63, 'x');
    CHECK(std::string(make_label(longest.c_str()).text) == longest);
    CHECK_THROWS_WITH_AS(make_label((longest + "x").c_str()), "toroid E031: label is longer than 63 characters",
                         std::logic_error);
}

TEST_CASE("payload encodings are inverses") {
    CHECK(permutations_round_trip());
    CHECK(slices_round_trip());
}
