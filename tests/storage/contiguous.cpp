// Tests of <toroid/storage/contiguous.hpp>.

#include <doctest/doctest.h>

#include <numeric>

#include <toroid/storage/contiguous.hpp>

#include "support.hpp"

using namespace toroid;

namespace {

/// Compares the copy with the view at every index, through the bounds-checked access of both.
template <dtype T> void check_copy(const array_view<T>& view) {
    const array<T> copy = contiguous(view);
    REQUIRE(copy.extents() == view.extents());
    CHECK(copy.view().is_contiguous());
    CHECK(is_aligned(copy.data(), 64));
    extent_list index = view.extents();
    for (std::int64_t flat = 0; flat < view.size(); ++flat) {
        std::int64_t rest = flat;
        for (int axis = view.rank() - 1; axis >= 0; --axis) {
            index[axis] = rest % view.extent(axis);
            rest /= view.extent(axis);
        }
        CHECK(copy.at(index) == view.at(index));
    }
}

} // namespace

TEST_CASE("contiguous: every kind of stride") {
    array<i32> source({4, 5, 6});
    std::iota(source.span().begin(), source.span().end(), 0);
    const std::int32_t* const data = source.data();
    check_copy<i32>(source);
    check_copy(array_view<i32>(data, {6, 5, 4}, {1, 6, 30}));            // all axes reversed in order
    check_copy(array_view<i32>(data, {5, 6, 4}, {6, 1, 30}));            // rotated
    check_copy(array_view<i32>(data, {2, 5, 3}, {60, 6, 2}));            // every second one
    check_copy(array_view<i32>(data, {3, 4}, {0, 1}));                   // broadcast
    check_copy(array_view<i32>(data + 119, {4, 5, 6}, {-30, -6, -1}));   // back to front
    check_copy(array_view<i32>(data, {1, 1, 7}, {9, 9, 3}));             // extents of 1
    check_copy(array_view<i32>(data, {2, 1, 2, 1, 3, 1, 2, 1}, {60, 0, 30, 0, 6, 0, 3, 0})); // rank 8
    check_copy(array_view<i32>(data + 7, {}, {}));                       // rank 0
    check_copy(array_view<i32>(data, {3, 0, 2}, {9, 9, 9}));             // empty
    check_copy(array_view<i32>(data, {3, 2, 0}, {9, 9, 9}));
}

TEST_CASE("contiguous: a misaligned but dense view is copied to an aligned place") {
    array<f32> source({9}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    const array<f32> copy = contiguous(mutable_array_view<f32>(source.data() + 1, {2, 4}));
    CHECK(copy(1, 3) == 8);
    CHECK(is_aligned(copy.data(), 64));
}
