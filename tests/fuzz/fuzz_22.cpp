// Differential test of seeds 110 to 114; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 110 to 114") { fuzz::check_seeds<110, 5>(); }
