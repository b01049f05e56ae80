// Differential test of seeds 25 to 29; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 25 to 29") { fuzz::check_seeds<25, 5>(); }
