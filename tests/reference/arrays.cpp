// Tests of <toroid/reference/arrays.hpp>.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <toroid/reference/arrays.hpp>

using namespace toroid;

TEST_CASE("reference tensors from arrays: every dtype keeps its values") {
    CHECK(make_reference(array<f32>({2, 2}, {1, 2.5f, -3, 4})) == make_reference(f32, {2, 2}, {1, 2.5, -3, 4}));
    CHECK(make_reference(array<f64>({1}, {0.1})) == make_reference(f64, {1}, {0.1}));
    CHECK(make_reference(array<f16>({2}, {0.1f, 1})) == make_reference(f16, {2}, {0.1, 1}));
    CHECK(make_reference(array<bf16>({2}, {0.1f, 1})) == make_reference(bf16, {2}, {0.1, 1}));
    CHECK(make_reference(array<u8>({2}, {255, 1})) == make_reference(u8, {2}, {255, 1}));
    CHECK(make_reference(array<i8>({2}, {-128, 1})) == make_reference(i8, {2}, {-128, 1}));
    CHECK(make_reference(array<boolean>({2}, {true, false})) == make_reference(boolean, {2}, {1, 0}));
    constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max();
    CHECK(make_reference(array<i64>({1}, {large})).integer[0] == large);
    CHECK(make_reference(array<f32>({0, 3})) == make_reference(f32, {0, 3}, {}));
    CHECK(make_reference(array<f32>({}, {7})) == make_reference(f32, {}, {7}));
}

TEST_CASE("reference tensors from views of any strides") {
    const array<i32> x({2, 3}, {1, 2, 3, 4, 5, 6});
    CHECK(make_reference(array_view<i32>(x.data(), {3, 2}, {1, 3})) == make_reference(i32, {3, 2}, {1, 4, 2, 5, 3, 6}));
    CHECK(make_reference(array_view<i32>(x.data() + 5, {6}, {-1})) == make_reference(i32, {6}, {6, 5, 4, 3, 2, 1}));
    CHECK(make_reference(array_view<i32>(x.data(), {2, 2}, {0, 1})) == make_reference(i32, {2, 2}, {1, 2, 1, 2}));
}

TEST_CASE("arrays from reference tensors") {
    const reference_tensor x = make_reference(f32, {2, 1}, {0.1, -2});
    CHECK(make_reference(to_array<f32>(x)) == x);
    CHECK(to_array<f32>(x).extents() == extent_list{2, 1});
    CHECK(make_reference(to_array<boolean>(make_reference(boolean, {2}, {1, 0}))) ==
          make_reference(boolean, {2}, {1, 0}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(static_cast<float>(*to_array<f16>(make_reference(f16, {1}, {nan})).data())));
    CHECK_THROWS_AS(to_array<f64>(x), error);
}
