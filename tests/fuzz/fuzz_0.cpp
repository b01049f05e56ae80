// Differential test of seeds 0 to 4; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 0 to 4") { fuzz::check_seeds<0, 5>(); }
