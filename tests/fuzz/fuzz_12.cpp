// Differential test of seeds 60 to 64; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 60 to 64") { fuzz::check_seeds<60, 5>(); }
