// Differential test of seeds 75 to 79; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 75 to 79") { fuzz::check_seeds<75, 5>(); }
