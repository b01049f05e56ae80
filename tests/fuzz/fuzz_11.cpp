// Differential test of seeds 55 to 59; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 55 to 59") { fuzz::check_seeds<55, 5>(); }
