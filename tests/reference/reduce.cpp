// Tests of <toroid/reference/reduce.hpp>.

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "support.hpp"

using namespace reference_tests;

namespace {

using matrix = tensor<f64, 2, 3>;
constexpr reference_tensor m() { return make_reference(f64, {2, 3}, {1, 5, 3, 4, 2, 6}); }
constexpr reference_tensor reals(std::initializer_list<std::int64_t> extents, std::initializer_list<double> values) {
    return make_reference(f64, extents, values);
}
constexpr reference_tensor indices(std::initializer_list<std::int64_t> extents, std::initializer_list<double> values) {
    return make_reference(i64, extents, values);
}

//=== sum, prod, max, min ===//

static_assert(computed<matrix, [](auto x) { return sum(x); }>(m()) == reals({}, {21}));
static_assert(computed<matrix, [](auto x) { return sum<0>(x); }>(m()) == reals({3}, {5, 7, 9}));
static_assert(computed<matrix, [](auto x) { return sum<-1>(x, keepdim); }>(m()) == reals({2, 1}, {9, 12}));
static_assert(computed<matrix, [](auto x) { return prod<1>(x); }>(m()) == reals({2}, {15, 48}));
static_assert(computed<matrix, [](auto x) { return max<0>(x); }>(m()) == reals({3}, {4, 5, 6}));
static_assert(computed<matrix, [](auto x) { return min<1>(x); }>(m()) == reals({2}, {1, 2}));
static_assert(computed<tensor<f64, 2, 2, 2>, [](auto x) { return sum<0, 2>(x); }>(reals({2, 2, 2},
                                                                                        {1, 2, 3, 4, 5, 6, 7, 8})) ==
              reals({2}, {14, 22})); // axes apart
static_assert(computed<tensor<i32, 2>, [](auto x) { return sum(x); }>(make_reference(i32, {2}, {2147483647.0, 1})) ==
              indices({}, {2147483648.0})); // summed in i64
static_assert(computed<tensor<boolean, 3>, [](auto x) { return sum(x); }>(make_reference(boolean, {3}, {1, 0, 1})) ==
              indices({}, {2}));
static_assert(computed<tensor<f64, 0, 2>, [](auto x) { return sum<0>(x); }>(reals({0, 2}, {})) == reals({2}, {0, 0}));
static_assert(computed<tensor<f64, 0, 2>, [](auto x) { return prod<0>(x); }>(reals({0, 2}, {})) == reals({2}, {1, 1}));
static_assert(computed<tensor<f64, 0, 2>, [](auto x) { return max<1>(x); }>(reals({0, 2}, {})) == reals({0}, {}));
static_assert(computed<tensor<f64>, [](auto x) { return max(x); }>(reals({}, {3})) == reals({}, {3}));

//=== any and all ===//

static_assert(computed<matrix, [](auto x) { return any<1>(x > 5); }>(m()) == make_reference(boolean, {2}, {0, 1}));
static_assert(computed<matrix, [](auto x) { return all<1>(x > 1); }>(m()) == make_reference(boolean, {2}, {0, 1}));
static_assert(computed<tensor<f64, 0>, [](auto x) { return any(x); }>(reals({0}, {})) ==
              make_reference(boolean, {}, {0}));
static_assert(computed<tensor<f64, 0>, [](auto x) { return all(x); }>(reals({0}, {})) ==
              make_reference(boolean, {}, {1}));

//=== argmax and argmin: ties give the lowest index, several axes count in row-major order ===//

static_assert(computed<matrix, [](auto x) { return argmax<1>(x); }>(m()) == indices({2}, {1, 2}));
static_assert(computed<matrix, [](auto x) { return argmin<0>(x); }>(m()) == indices({3}, {0, 1, 0}));
static_assert(computed<matrix, [](auto x) { return argmax(x); }>(m()) == indices({}, {5}));
static_assert(computed<tensor<f64, 4>, [](auto x) { return argmax(x); }>(reals({4}, {1, 7, 7, 0})) == indices({}, {1}));
static_assert(computed<tensor<f64, 2>, [](auto x) { return argmin(x); }>(reals({2}, {0.0, -0.0})) == indices({}, {0}));
static_assert(computed<tensor<u8, 2>, [](auto x) { return argmax(x); }>(make_reference(u8, {2}, {100, 200})) ==
              indices({}, {1}));

//=== mean and var ===//

static_assert(computed<matrix, [](auto x) { return mean<1>(x); }>(m()) == reals({2}, {3, 4}));
static_assert(computed<matrix, [](auto x) { return var<1>(x); }>(m()) == reals({2}, {4, 4}));
static_assert(computed<matrix, [](auto x) { return var<1>(x, correction<0>); }>(m()) == reals({2}, {8.0 / 3, 8.0 / 3}));
static_assert(computed<tensor<i32, 2>, [](auto x) { return mean(x); }>(make_reference(i32, {2}, {1, 2})) ==
              make_reference(f32, {}, {1.5}));
static_assert(computed<tensor<f64, 1>, [](auto x) { return var(x, correction<0>); }>(reals({1}, {9})) ==
              reals({}, {0}));

//=== softmax, log_softmax, logsumexp ===//

constexpr double e = 2.71828182845904523536;
static_assert(almost_equal(computed<matrix, [](auto x) { return softmax<0>(x); }>(reals({2, 3}, {0, 1, 7, 0, 0, 7})),
                           reals({2, 3}, {0.5, e / (1 + e), 0.5, 0.5, 1 / (1 + e), 0.5}), 1e-15));
static_assert(almost_equal(computed<tensor<f64, 2>, [](auto x) { return log_softmax(x); }>(reals({2}, {1000, 1000})),
                           reals({2}, {-0.69314718055994531, -0.69314718055994531}), 1e-15)); // no overflow
static_assert(almost_equal(computed<matrix, [](auto x) { return logsumexp(x); }>(reals({2, 3}, {500, 500, 0, 0, 0, 0})),
                           reals({}, {500.69314718055994531}), 1e-15));
static_assert(computed<tensor<f64, 0, 2>, [](auto x) { return softmax(x); }>(reals({0, 2}, {})) == reals({0, 2}, {}));

} // namespace

TEST_CASE("interpreter: NaN and infinities in reductions") {
    const reference_tensor x = reals({4}, {1, quiet_nan, 3, quiet_nan});
    CHECK(almost_equal(computed<tensor<f64, 4>, [](auto v) { return max(v); }>(x), reals({}, {quiet_nan}), 0));
    CHECK(almost_equal(computed<tensor<f64, 4>, [](auto v) { return min(v); }>(x), reals({}, {quiet_nan}), 0));
    CHECK(computed<tensor<f64, 4>, [](auto v) { return argmax(v); }>(x) == indices({}, {1})); // the first NaN wins
    CHECK(computed<tensor<f64, 4>, [](auto v) { return argmin(v); }>(x) == indices({}, {1}));
    CHECK(computed<tensor<f64, 4>, [](auto v) { return any(v); }>(reals({4}, {0, quiet_nan, 0, 0})) ==
          make_reference(boolean, {}, {1}));
    CHECK(almost_equal(computed<tensor<f64, 4>, [](auto v) { return softmax(v); }>(x),
                       reals({4}, {quiet_nan, quiet_nan, quiet_nan, quiet_nan}), 0));

    const reference_tensor low = reals({2}, {-inf, -inf});
    CHECK(almost_equal(computed<tensor<f64, 2>, [](auto v) { return softmax(v); }>(low),
                       reals({2}, {quiet_nan, quiet_nan}), 0));
    CHECK(almost_equal(computed<tensor<f64, 2>, [](auto v) { return logsumexp(v); }>(low), reals({}, {-inf}), 0));
    CHECK(almost_equal(computed<tensor<f64, 2>, [](auto v) { return logsumexp(v); }>(reals({2}, {inf, 0})),
                       reals({}, {inf}), 0));
    CHECK(almost_equal(computed<tensor<f64, 2>, [](auto v) { return softmax(v); }>(reals({2}, {-inf, 0})),
                       reals({2}, {0, 1}), 0));
    CHECK(std::signbit(computed<tensor<f64, 2>, [](auto v) { return min(v); }>(reals({2}, {0.0, -0.0}))[0]));
    CHECK_FALSE(std::signbit(computed<tensor<f64, 2>, [](auto v) { return max(v); }>(reals({2}, {-0.0, 0.0}))[0]));
}

TEST_CASE("interpreter: reductions over too few elements") {
    const reference_tensor none = reals({0}, {});
    CHECK(almost_equal(computed<tensor<f64, 0>, [](auto v) { return mean(v); }>(none), reals({}, {quiet_nan}), 0));
    CHECK(almost_equal(computed<tensor<f64, 0>, [](auto v) { return var(v); }>(none), reals({}, {quiet_nan}), 0));
    CHECK(almost_equal(computed<tensor<f64, 1>, [](auto v) { return var(v); }>(reals({1}, {3})), reals({}, {quiet_nan}),
                       0));
    CHECK(almost_equal(computed<tensor<f64, 0>, [](auto v) { return logsumexp(v); }>(none), reals({}, {-inf}), 0));
    // A run-time extent may be 0: extremes are then the identity of their operation, positions do not exist.
    using vector = tensor<f64, symbol('B')>;
    CHECK(computed<vector, [](auto v) { return max(v); }>(none) == reals({}, {-inf}));
    CHECK(computed<vector, [](auto v) { return min(v); }>(none) == reals({}, {inf}));
    const reference_tensor no_bytes = make_reference(i8, {0}, {});
    CHECK(computed<tensor<i8, symbol('B')>, [](auto v) { return max(v); }>(no_bytes) == make_reference(i8, {}, {-128}));
    CHECK(computed<tensor<i8, symbol('B')>, [](auto v) { return min(v); }>(no_bytes) == make_reference(i8, {}, {127}));
    const reference_tensor no_unsigned = make_reference(u8, {0}, {});
    CHECK(computed<tensor<u8, symbol('B')>, [](auto v) { return min(v); }>(no_unsigned) ==
          make_reference(u8, {}, {255}));
    CHECK(computed<tensor<u8, symbol('B')>, [](auto v) { return max(v); }>(no_unsigned) == make_reference(u8, {}, {0}));
    constexpr auto place = [](auto v) { return argmax(v); };
    CHECK_THROWS_AS((computed<vector, place>(none)), std::logic_error);
}
