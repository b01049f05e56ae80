// Differential test of seeds 170 to 174; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 170 to 174") { fuzz::check_seeds<170, 5>(); }
