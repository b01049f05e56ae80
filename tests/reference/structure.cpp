// Tests of <toroid/reference/structure.hpp>.

#include <doctest/doctest.h>

#include "support.hpp"

using namespace reference_tests;

namespace {

using matrix = tensor<i32, 2, 3>;
constexpr reference_tensor m() { return make_reference(i32, {2, 3}, {1, 2, 3, 4, 5, 6}); }
constexpr reference_tensor ints(std::initializer_list<std::int64_t> extents, std::initializer_list<double> values) {
    return make_reference(i32, extents, values);
}

//=== permute and reshape ===//

static_assert(computed<matrix, [](auto x) { return transpose(x); }>(m()) == ints({3, 2}, {1, 4, 2, 5, 3, 6}));
static_assert(computed<tensor<i32, 2, 1, 3>, [](auto x) { return permute<2, 0, 1>(x); }>(ints({2, 1, 3},
                                                                                              {1, 2, 3, 4, 5, 6})) ==
              ints({3, 2, 1}, {1, 4, 2, 5, 3, 6}));
static_assert(computed<matrix, [](auto x) { return reshape<3, 2>(x); }>(m()) == ints({3, 2}, {1, 2, 3, 4, 5, 6}));
static_assert(computed<matrix, [](auto x) { return flatten(transpose(x)); }>(m()) == ints({6}, {1, 4, 2, 5, 3, 6}));
static_assert(computed<matrix, [](auto x) { return unsqueeze<1>(x); }>(m()) == ints({2, 1, 3}, {1, 2, 3, 4, 5, 6}));

//=== expand ===//

static_assert(computed<tensor<i32, 2, 1>, [](auto x) { return expand<2, 2, 3>(x); }>(ints({2, 1}, {7, 8})) ==
              ints({2, 2, 3}, {7, 7, 7, 8, 8, 8, 7, 7, 7, 8, 8, 8}));
static_assert(computed<tensor<i32>, [](auto x) { return expand<2, 2>(x); }>(ints({}, {7})) ==
              ints({2, 2}, {7, 7, 7, 7}));
static_assert(computed<tensor<i32, 1>, [](auto x) { return expand<0>(x); }>(ints({1}, {7})) == ints({0}, {}));

//=== slice ===//

static_assert(computed<matrix, [](auto x) { return slice<1, 1>(x); }>(m()) == ints({2, 2}, {2, 3, 5, 6}));
static_assert(computed<matrix, [](auto x) { return slice<1, 0, to_end, 2>(x); }>(m()) == ints({2, 2}, {1, 3, 4, 6}));
static_assert(computed<matrix, [](auto x) { return flip<1>(x); }>(m()) == ints({2, 3}, {3, 2, 1, 6, 5, 4}));
static_assert(computed<matrix, [](auto x) { return slice<1, to_end, to_end, -2>(x); }>(m()) ==
              ints({2, 2}, {3, 1, 6, 4}));
static_assert(computed<matrix, [](auto x) { return slice<0, -1, to_end, -1>(x); }>(m()) ==
              ints({2, 3}, {4, 5, 6, 1, 2, 3}));
static_assert(computed<matrix, [](auto x) { return slice<1, 2, 1>(x); }>(m()) == ints({2, 0}, {}));
static_assert(computed<matrix, [](auto x) { return flip<0>(flip<1>(transpose(x))); }>(m()) ==
              ints({3, 2}, {6, 3, 5, 2, 4, 1}));

//=== concat ===//

static_assert(computed<matrix, [](auto x) { return concat<0>(x, slice<0, 1>(x)); }>(m()) ==
              ints({3, 3}, {1, 2, 3, 4, 5, 6, 4, 5, 6}));
static_assert(computed<matrix, [](auto x) { return concat<1>(x, slice<1, 0, 1>(x), slice<1, 0, 0>(x)); }>(m()) ==
              ints({2, 4}, {1, 2, 3, 1, 4, 5, 6, 4}));
static_assert(computed<tensor<i32, 2>, [](auto x) { return stack<-1>(x, x); }>(ints({2}, {1, 2})) ==
              ints({2, 2}, {1, 1, 2, 2}));

//=== matmul ===//

static_assert(computed<matrix, [](auto x) { return matmul(x, transpose(x)); }>(m()) == ints({2, 2}, {14, 32, 32, 77}));
static_assert(computed<tensor<f32, 2, 1, 2>, tensor<f32, 2, 1>, [](auto x, auto y) { return matmul(x, y); }>(
                  make_reference(f32, {2, 1, 2}, {1, 2, 3, 4}), make_reference(f32, {2, 1}, {10, 1})) ==
              make_reference(f32, {2, 1, 1}, {12, 34})); // the batch of y is broadcast
static_assert(computed<tensor<f32, 2, 0>, tensor<f32, 0, 2>, [](auto x, auto y) { return matmul(x, y); }>(
                  make_reference(f32, {2, 0}, {}), make_reference(f32, {0, 2}, {})) ==
              make_reference(f32, {2, 2}, {0, 0, 0, 0})); // a sum over nothing
static_assert(computed<tensor<i8, 1, 2>, tensor<i8, 2, 1>, [](auto x, auto y) { return matmul(x, y); }>(
                  make_reference(i8, {1, 2}, {100, 100}), make_reference(i8, {2, 1}, {2, 2})) ==
              make_reference(i8, {1, 1}, {400 - 512}));

} // namespace

TEST_CASE("interpreter: views of a larger tensor, against index arithmetic") {
    using cube = tensor<i64, 4, 5, 6>;
    growable<std::int64_t> extents;
    for (const std::int64_t extent : {4, 5, 6}) extents.push(extent);
    reference_tensor x = zero_reference(i64, extents);
    for (int i = 0; i < x.size(); ++i) x.integer[i] = i;
    const reference_tensor y = computed<cube, [](auto c) { return slice<2, to_end, 0, -2>(permute<1, 2, 0>(c)); }>(x);
    REQUIRE(y.rank() == 3);
    CHECK(y.extents[0] == 5);
    CHECK(y.extents[1] == 6);
    REQUIRE(y.extents[2] == 2);
    int place = 0;
    for (int a = 0; a < 5; ++a)
        for (int b = 0; b < 6; ++b)
            for (int c = 0; c < 2; ++c) CHECK(y.integer[place++] == (3 - 2 * c) * 30 + a * 6 + b);
}
