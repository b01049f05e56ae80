// Differential test of seeds 12 to 17; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 12 to 17") { fuzz::check_seeds<12, 6>(); }
