// Differential test of seeds 190 to 194; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 190 to 194") { fuzz::check_seeds<190, 5>(); }
