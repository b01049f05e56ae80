// Differential test of seeds 5 to 9; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 5 to 9") { fuzz::check_seeds<5, 5>(); }
