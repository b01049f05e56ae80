// Differential test of seeds 15 to 19; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 15 to 19") { fuzz::check_seeds<15, 5>(); }
