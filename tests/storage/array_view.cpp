// Tests of <toroid/storage/array_view.hpp>.

#include <doctest/doctest.h>

#include <concepts>
#include <type_traits>

#include <toroid/storage/array_view.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome_of;

namespace {

// Elements of a read-only view cannot be written, and only a mutable view becomes a read-only one.
static_assert(std::same_as<decltype(std::declval<array_view<f32>>()(0)), const float&>);
static_assert(std::same_as<decltype(std::declval<mutable_array_view<f32>>()(0)), float&>);
static_assert(std::convertible_to<mutable_array_view<f32>, array_view<f32>>);
static_assert(!std::convertible_to<array_view<f32>, mutable_array_view<f32>>);
static_assert(!std::constructible_from<mutable_array_view<f32>, const float*, extent_list>);
static_assert(!std::constructible_from<array_view<f32>, array_view<f64>>);
static_assert(std::is_trivially_copyable_v<array_view<bf16>>);

float numbers[24];

} // namespace

TEST_CASE("array_view: contiguous from a pointer") {
    const array_view<f32> view(numbers, {2, 3, 4});
    CHECK(view.size() == 24);
    CHECK(view.rank() == 3);
    CHECK(view.extent(1) == 3);
    CHECK(view.stride(0) == 12);
    CHECK(view.strides() == extent_list{12, 4, 1});
    CHECK(view.is_contiguous());
    CHECK(&view(1, 2, 3) == numbers + 23);
    CHECK(&view.at({1, 0, 2}) == numbers + 14);
    CHECK(outcome_of([&] { view(1, 3, 0); }).message == "index [1, 3, 0] is outside an array of extents [2, 3, 4]");
    CHECK(outcome_of([&] { view(0, 0); }).code == error_code::invalid_argument);
}

TEST_CASE("array_view: strides") {
    // the transpose of a [3, 4]
    const array_view<f32> transposed(numbers, {4, 3}, {1, 4});
    CHECK_FALSE(transposed.is_contiguous());
    CHECK(&transposed(3, 2) == numbers + 11);
    // broadcast and reversed axes
    const array_view<f32> broadcast(numbers, {5, 2}, {0, 1});
    CHECK(&broadcast(4, 1) == numbers + 1);
    const array_view<f32> reversed(numbers + 3, {4}, {-1});
    CHECK(&reversed(3) == numbers);
    CHECK_FALSE(reversed.is_contiguous());
    // every second column
    CHECK_FALSE(array_view<f32>(numbers, {3, 2}, {4, 2}).is_contiguous());
}

TEST_CASE("array_view: what does not hinder contiguity") {
    CHECK(array_view<f32>(numbers, {3, 1, 4}, {4, 999, 1}).is_contiguous());
    CHECK(array_view<f32>(numbers, {1, 4}, {-7, 1}).is_contiguous());
    CHECK(array_view<f32>(numbers, {2, 0, 4}, {5, 6, 7}).is_contiguous());
    CHECK(array_view<f32>(numbers, {}, {}).is_contiguous());
    CHECK_FALSE(array_view<f32>(numbers, {2, 4}, {5, 1}).is_contiguous());
}

TEST_CASE("array_view: alignment of the first element") {
    alignas(64) float block[32];
    CHECK(array_view<f32>(block, {4}).is_aligned(64));
    CHECK(array_view<f32>(block + 4, {4}).is_aligned(16));
    CHECK_FALSE(array_view<f32>(block + 4, {4}).is_aligned(32));
}

TEST_CASE("array_view: writing and narrowing to read-only") {
    float values[6] = {};
    const mutable_array_view<f32> writable(values, {3, 2}, {1, 3});
    writable(2, 1) = 7;
    CHECK(values[5] == 7);
    const array_view<f32> readable = writable;
    CHECK(readable.strides() == writable.strides());
    CHECK(readable.size() == 6);
    CHECK(readable(2, 1) == 7);
}

TEST_CASE("array_view: errors") {
    const auto null = outcome_of([] { array_view<f32>(nullptr, {2, 3}); });
    CHECK(null.code == error_code::invalid_argument);
    CHECK(null.message == "a null pointer was given for 6 elements of extents [2, 3]");
    CHECK_FALSE(outcome_of([] { array_view<f32>(nullptr, {2, 0}); }).thrown);
    const auto rank = outcome_of([] { array_view<f32>(numbers, {2, 3}, {1}); });
    CHECK(rank.code == error_code::invalid_argument);
    CHECK(rank.message == "strides [1] and extents [2, 3] differ in rank");
    CHECK(outcome_of([] { array_view<f32>(numbers, {-1}); }).code == error_code::invalid_argument);
}
