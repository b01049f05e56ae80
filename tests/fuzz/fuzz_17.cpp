// Differential test of seeds 85 to 89; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 85 to 89") { fuzz::check_seeds<85, 5>(); }
