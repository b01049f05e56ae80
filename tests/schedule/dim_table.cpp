// dim_table: extents by number, with products and quotients that stay numbers.

#include <doctest/doctest.h>

#include <toroid/schedule/dim_table.hpp>

namespace toroid::tests {
namespace {

constexpr dim N = symbol('N');

static_assert(dim_table()[0].is(0) && dim_table()[1].is(1));

TEST_CASE("equal dims have one number, and arithmetic on numbers is arithmetic on dims") {
    dim_table t;
    const int n = t.intern(N);
    const int six = t.intern(dim(6));
    CHECK(t.intern(N) == n);
    CHECK(t.intern(dim(0)) == 0);
    CHECK(t.intern(dim(1)) == 1);
    const int product = t.multiply(n, six);
    CHECK(t[product] == 6 * N);
    CHECK(t.multiply(six, n) == product);
    CHECK(t.multiply(n, 0) == 0);
    CHECK(t.multiply(n, 1) == n);
    CHECK(t.add(n, 0) == n);
    CHECK(t[t.add(n, six)] == N + 6);
    CHECK(t.divide(product, n) == six);
    CHECK(t.divide(product, six) == n);
    CHECK(t.divide(n, n) == 1);
    CHECK(t.divide(n, 1) == n);
    CHECK(t.divide(n, six) == -1);
    CHECK(t.divide(0, 0) == -1);
}

TEST_CASE("more dims than products are remembered for") {
    dim_table t;
    for (int i = 2; i < 200; ++i) CHECK(t[t.intern(dim(i))].is(i));
    const int a = t.intern(dim(190));
    const int b = t.intern(dim(191));
    CHECK(t[t.multiply(a, b)].is(190 * 191));
    CHECK(t.multiply(a, b) == t.multiply(b, a));
}

} // namespace
} // namespace toroid::tests
