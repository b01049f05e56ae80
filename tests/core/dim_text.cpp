// Extents as a person writes them.

#include <toroid/core/dim_text.hpp>

#include <doctest/doctest.h>

using namespace toroid;

TEST_CASE("extents are written as sums of products and floors") {
    constexpr auto B = symbol('B');
    constexpr auto S = symbol('S');
    CHECK(dim_text(64) == "64");
    CHECK(dim_text(0) == "0");
    CHECK(dim_text(-B) == "-B");
    CHECK(dim_text(8 * B * S + 1) == "8*B*S + 1");
    CHECK(dim_text(B - 3) == "B - 3");
    CHECK(dim_text(B + S * S) == "S*S + B");
    CHECK(dim_text(B / 2) == "floor(B/2)");
    CHECK(dim_text(3 * ((B + 1) / 2) - 1) == "3*floor((B + 1)/2) - 1");
}
