// Differential test of seeds 35 to 39; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 35 to 39") { fuzz::check_seeds<35, 5>(); }
