// Differential test of seeds 20 to 24; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 20 to 24") { fuzz::check_seeds<20, 5>(); }
