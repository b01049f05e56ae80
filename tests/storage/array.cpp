// Tests of <toroid/storage/array.hpp>.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include <toroid/storage/array.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome_of;

namespace {

static_assert(std::is_nothrow_move_constructible_v<array<f32>>);
static_assert(std::is_nothrow_move_assignable_v<array<f32>>);
static_assert(std::is_nothrow_default_constructible_v<array<f32>>);
static_assert(std::convertible_to<const array<f32>&, array_view<f32>>);
static_assert(std::convertible_to<array<f32>&, mutable_array_view<f32>>);
static_assert(!std::convertible_to<const array<f32>&, mutable_array_view<f32>>);
static_assert(!std::convertible_to<array<f32>&, array_view<f64>>);
static_assert(sizeof(storage_t<boolean>) == 1);

// `array<f32>{2, 3}` could be read as two extents or two values, so it is neither.
template <class... Arguments>
concept brace_constructible = requires(Arguments... arguments) { array<f32>{arguments...}; };
static_assert(!brace_constructible<std::int64_t, std::int64_t>);
static_assert(brace_constructible<extent_list>);

template <dtype T> void check_all_zero_and_aligned() {
    const array<T> x({3, 5});
    CHECK(is_aligned(x.data(), 64));
    CHECK(x.size_bytes() == static_cast<std::size_t>(15 * size_of(T)));
    for (const storage_t<T>& value : x.span()) CHECK(value == storage_t<T>{});
}

float sum(array_view<f32> x) {
    float total = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) total += x(i);
    return total;
}

void negate(mutable_array_view<f32> x) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) x(i) = -x(i);
}

} // namespace

TEST_CASE("array: zeros of every dtype") {
    check_all_zero_and_aligned<boolean>();
    check_all_zero_and_aligned<u8>();
    check_all_zero_and_aligned<i8>();
    check_all_zero_and_aligned<i16>();
    check_all_zero_and_aligned<i32>();
    check_all_zero_and_aligned<i64>();
    check_all_zero_and_aligned<f16>();
    check_all_zero_and_aligned<bf16>();
    check_all_zero_and_aligned<f32>();
    check_all_zero_and_aligned<f64>();
}

TEST_CASE("array: values in row-major order") {
    const array<f32> x({2, 3}, {1, 2, 3, 4, 5, 6});
    CHECK(x.rank() == 2);
    CHECK(x.size() == 6);
    CHECK(x.extents() == extent_list{2, 3});
    CHECK(x(0, 2) == 3);
    CHECK(x(1, 0) == 4);
    CHECK(x.data()[4] == 5);
    const std::vector<std::int64_t> shape = {3, 1};
    CHECK(array<i64>(shape, {7, 8, 9})(2, 0) == 9);
    const array<boolean> flags({3}, {true, false, true});
    CHECK(flags(0));
    CHECK_FALSE(flags(1));
    const std::vector<float> values = {1, 2};
    CHECK(array<f32>({2}, values)(1) == 2);
}

TEST_CASE("array: half types round values once, to nearest even") {
    const array<f16> h({3}, {1.5f, 2049.0f, 65536.0f});
    CHECK(static_cast<float>(h(0)) == 1.5f);
    CHECK(static_cast<float>(h(1)) == 2048.0f);
    CHECK(std::isinf(static_cast<float>(h(2))));
    array<bf16> b({2});
    b.fill(257.0f);
    CHECK(static_cast<float>(b(1)) == 256.0f);
}

TEST_CASE("array: rank 0 has one element, zero extents have none") {
    array<f32> scalar({}, {5});
    CHECK(scalar.rank() == 0);
    CHECK(scalar.size() == 1);
    CHECK(scalar() == 5);
    scalar() = 6;
    CHECK(scalar.data()[0] == 6);
    CHECK(array<f32>(extent_list{}).size() == 1);

    array<f32> empty({4, 0, 2});
    CHECK(empty.size() == 0);
    CHECK(empty.extent(0) == 4);
    CHECK(empty.span().empty());
    empty.fill(3);
    CHECK(array<f32>({0}, {}).size() == 0);
    CHECK(array<f32>(empty).extents() == extent_list{4, 0, 2});
    CHECK(outcome_of([&] { empty(0, 0, 0); }).code == error_code::invalid_argument);

    const array<f32> none;
    CHECK(none.size() == 0);
    CHECK(none.extents() == extent_list{0});
}

TEST_CASE("array: copies are deep, moves leave an empty array") {
    array<i32> x({2, 2}, {1, 2, 3, 4});
    array<i32> copy = x;
    copy(0, 0) = 9;
    CHECK(x(0, 0) == 1);
    const std::int32_t* const data = x.data();
    array<i32> moved = std::move(x);
    CHECK(moved.data() == data);
    CHECK(x.size() == 0);
    CHECK(x.extents() == extent_list{0});
    x = copy;
    CHECK(x(0, 0) == 9);
    x = array<i32>({1}, {5});
    CHECK(x.size() == 1);
    array<i32>& same = x;
    x = same;
    CHECK(x(0) == 5);
}

TEST_CASE("array: passes as a view") {
    array<f32> x({3}, {1, 2, 4});
    CHECK(sum(x) == 7);
    negate(x);
    CHECK(x(2) == -4);
    CHECK(sum(array<f32>({2}, {1, 1})) == 2);
    CHECK(x.view().is_contiguous());
    CHECK(x.mutable_view().data() == x.data());
}

TEST_CASE("array: fill and uninitialized") {
    array<u8> x = array<u8>::uninitialized({100});
    x.fill(200);
    for (const std::uint8_t value : x.span()) CHECK(value == 200);
}

TEST_CASE("array: errors name both values") {
    const auto few = outcome_of([] { array<f32>({2, 3}, {1, 2, 3, 4, 5}); });
    CHECK(few.code == error_code::invalid_argument);
    CHECK(few.message == "5 values were given for extents [2, 3], which hold 6");
    CHECK(outcome_of([] { array<f32>({2}, std::vector<float>(3)); }).says("3 values"));
    CHECK(outcome_of([] { array<f32>({2, -1}); }).code == error_code::invalid_argument);
    CHECK(outcome_of([] { array<f32>({std::int64_t{1} << 40, std::int64_t{1} << 40}); }).says("exceed 2^63 - 1"));
    CHECK(outcome_of([] { array<f32>({1, 1, 1, 1, 1, 1, 1, 1, 1}); }).says("has 9 axes"));
    array<f32> x({2, 3});
    CHECK(outcome_of([&] { x(2, 0) = 1; }).message == "index [2, 0] is outside an array of extents [2, 3]");
    CHECK(outcome_of([&] { x(0, -1) = 1; }).code == error_code::invalid_argument);
    CHECK(outcome_of([&] { x(0) = 1; }).code == error_code::invalid_argument);
}
