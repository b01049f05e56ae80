// Differential test of seeds 50 to 54; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 50 to 54") { fuzz::check_seeds<50, 5>(); }
