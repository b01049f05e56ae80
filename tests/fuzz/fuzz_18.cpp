// Differential test of seeds 90 to 94; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 90 to 94") { fuzz::check_seeds<90, 5>(); }
