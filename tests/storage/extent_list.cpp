// Tests of <toroid/storage/extent_list.hpp>.

#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <vector>

#include <toroid/storage/extent_list.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome_of;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// Counts are exact up to 2^63 - 1 bytes and absent beyond.
static_assert(checked_element_count(extent_list{}, 4) == 1);
static_assert(checked_element_count(extent_list{2, 3, 4}, 4) == 24);
static_assert(checked_element_count(extent_list{2, 0, 4}, 4) == 0);
static_assert(checked_element_count(extent_list{largest}, 1) == largest);
static_assert(!checked_element_count(extent_list{largest}, 2));
static_assert(checked_element_count(extent_list{largest / 8}, 8) == largest / 8);
static_assert(!checked_element_count(extent_list{largest / 8 + 1}, 8));
static_assert(!checked_element_count(extent_list{std::int64_t{1} << 32, std::int64_t{1} << 32}, 1));
static_assert(!checked_element_count(extent_list{2, -1}, 4));
static_assert(!checked_element_count(extent_list{0, -1}, 4));
// A zero does not hide an overflow: strides are products of the other extents.
static_assert(!checked_element_count(extent_list{0, largest, largest}, 4));

static_assert(contiguous_strides({2, 3, 4}) == extent_list{12, 4, 1});
static_assert(contiguous_strides({}) == extent_list{});
static_assert(contiguous_strides({2, 0, 4}) == extent_list{4, 4, 1});

static_assert(checked_offset({1, 2}, {2, 3}, {3, 1}) == 5);
static_assert(checked_offset({}, {}, {}) == 0);
static_assert(checked_offset({1, 2}, {2, 3}, {-1, 10}) == 19);

static_assert(extent_list{1, 2} == extent_list{1, 2});
static_assert(extent_list{1, 2} != extent_list{1, 2, 0});
static_assert(extent_list{} != extent_list{0});
static_assert(extent_list(std::array<std::int64_t, 2>{4, 5}) == extent_list{4, 5});

// A lone number is no list of extents.
static_assert(!std::convertible_to<std::int64_t, extent_list>);

} // namespace

TEST_CASE("extent_list: from containers") {
    const std::vector<std::int64_t> values = {5, 6, 7};
    CHECK(extent_list(values) == extent_list{5, 6, 7});
    CHECK(extent_list{1, 2, 3, 4, 5, 6, 7, 8}.size() == max_rank);
    const auto nine = outcome_of([] { (void)extent_list(std::vector<std::int64_t>(9, 1)); });
    CHECK(nine.code == error_code::invalid_argument);
    CHECK(nine.message == "[1, 1, 1, 1, 1, 1, 1, 1, 1] has 9 axes, the most is 8 (toroid::max_rank): merge axes");
}

TEST_CASE("shape_string: as PyTorch prints shapes") {
    CHECK(shape_string(extent_list{}) == "[]");
    CHECK(shape_string(extent_list{3}) == "[3]");
    CHECK(shape_string(extent_list{2, -1, 30}) == "[2, -1, 30]");
}

TEST_CASE("element_count: says what is wrong") {
    CHECK(element_count(extent_list{2, 3}, 8) == 6);
    const auto negative = outcome_of([] { element_count(extent_list{2, -3}, 8); });
    CHECK(negative.code == error_code::invalid_argument);
    CHECK(negative.message == "extents [2, -3] contain -3: an extent is at least 0");
    const auto large = outcome_of([] { element_count(extent_list{largest, 2}, 8); });
    CHECK(large.code == error_code::invalid_argument);
    CHECK(large.message == "extents [9223372036854775807, 2] with elements of 8 bytes exceed 2^63 - 1 bytes: use "
                           "smaller extents");
}

TEST_CASE("checked_offset: rejects every index outside") {
    for (const extent_list& bad : {extent_list{2, 0}, extent_list{0, 3}, extent_list{-1, 0}, extent_list{0, -1},
                                   extent_list{0}, extent_list{0, 0, 0}, extent_list{}}) {
        const auto result = outcome_of([&] { checked_offset(bad, {2, 3}, {3, 1}); });
        CHECK(result.code == error_code::invalid_argument);
        CHECK(result.message == "index " + shape_string(bad) + " is outside an array of extents [2, 3]");
    }
}
