// Differential test of seeds 160 to 164; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 160 to 164") { fuzz::check_seeds<160, 5>(); }
