// Tests of <toroid/backend/listing/dim_text.hpp>.

#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include <toroid/backend/listing/dim_text.hpp>

using namespace toroid;

namespace {
constexpr dim B = symbol('B');
constexpr dim S = symbol('S');

std::int64_t bits(double value) { return std::bit_cast<std::int64_t>(value); }
} // namespace

TEST_CASE("dim_text: constants and sums of products") {
    CHECK(dim_text(0) == "0");
    CHECK(dim_text(128) == "128");
    CHECK(dim_text(-3) == "-3");
    CHECK(dim_text(B) == "B");
    CHECK(dim_text(-B) == "-B");
    CHECK(dim_text(B - 1) == "B - 1");
    CHECK(dim_text(8 * B * S + 1) == "8*B*S + 1");
    CHECK(dim_text(B * B) == "B*B");
    CHECK(dim_text(B - 2 * S) == "B - 2*S");
    CHECK(dim_text(3 - B) == "-B + 3");
}

TEST_CASE("dim_text: equal extents have one text, higher degrees first") {
    CHECK(dim_text(B + B * S) == "B*S + B");
    CHECK(dim_text(B * S + B) == "B*S + B");
    CHECK(dim_text(S + B) == dim_text(B + S));
    CHECK(dim_text(B + S) == "B + S");
}

TEST_CASE("dim_text: quotients") {
    CHECK(dim_text(floor_div(B, 2)) == "floor(B/2)");
    CHECK(dim_text(floor_div(B + 1, 2)) == "floor((B + 1)/2)");
    CHECK(dim_text(3 * floor_div(B + 1, 2) - 1) == "3*floor((B + 1)/2) - 1");
    CHECK(dim_text(-floor_div(B, 4)) == "floor((-B + 3)/4)");
    CHECK(dim_text(floor_div(8 * B, 2)) == "4*B");
}

TEST_CASE("product_text and factor_text: parentheses where needed") {
    CHECK(product_text(1, "x") == "x");
    CHECK(product_text(-1, "x") == "-x");
    CHECK(product_text(64, "x") == "64*x");
    CHECK(product_text(B * S, "x") == "B*S*x");
    CHECK(product_text(B + 1, "x") == "(B + 1)*x");
    CHECK(product_text(floor_div(B + 1, 2), "x") == "floor((B + 1)/2)*x");
    CHECK(factor_text(B) == "B");
    CHECK(factor_text(B + 1) == "(B + 1)");
}

TEST_CASE("sum_text: signs become operators") {
    CHECK(sum_text({}) == "0");
    CHECK(sum_text({"x"}) == "x");
    CHECK(sum_text({"-x", "y", "-2"}) == "-x + y - 2");
}

TEST_CASE("shape_text: dtype and extents") {
    shape s;
    CHECK(shape_text(f32, s) == "f32[]");
    s.rank = 2;
    s.extents[0] = 8 * B + 1;
    s.extents[1] = 64;
    CHECK(shape_text(boolean, s) == "bool[8*B + 1, 64]");
}

TEST_CASE("relation_text: the four guards") {
    CHECK(relation_text(guard_kind::equals, B, 64) == "B == 64");
    CHECK(relation_text(guard_kind::less, B, S + 1) == "B < S + 1");
    CHECK(relation_text(guard_kind::less_or_equal, B, 1024) == "B <= 1024");
    CHECK(relation_text(guard_kind::multiple_of, B, 4) == "B % 4 == 0");
    CHECK(relation_text(guard_kind::multiple_of, B + 1, 4) == "(B + 1) % 4 == 0");
}

TEST_CASE("constant_text: as few digits as the dtype needs") {
    CHECK(constant_text(f32, bits(0.1)) == "0.1");
    CHECK(constant_text(f64, bits(0.1)) == "0.1");
    CHECK(constant_text(f64, bits(static_cast<double>(0.1f))) == "0.10000000149011612");
    CHECK(constant_text(f32, bits(static_cast<double>(0.1f))) == "0.1");
    CHECK(constant_text(f32, bits(-std::numeric_limits<double>::infinity())) == "-inf");
    CHECK(constant_text(f16, bits(256)) == "256");
    CHECK(constant_text(i64, -7) == "-7");
    CHECK(constant_text(boolean, 1) == "true");
    CHECK(constant_text(boolean, 0) == "false");
}
