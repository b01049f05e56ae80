// Tests of <toroid/inspect/dim_text.hpp>. The spelling is tested in tests/backend/listing/dim_text.cpp.

#include <doctest/doctest.h>

#include <toroid/inspect/dim_text.hpp>

using namespace toroid;

TEST_CASE("inspect::dim_text and shape_text spell as listings do") {
    constexpr dim B = symbol('B');
    CHECK(inspect::dim_text(8 * B + 1) == "8*B + 1");
    CHECK(inspect::dim_text(floor_div(B + 1, 2)) == "floor((B + 1)/2)");
    shape s;
    s.rank = 1;
    s.extents[0] = B;
    CHECK(inspect::shape_text(bf16, s) == "bf16[B]");
}
