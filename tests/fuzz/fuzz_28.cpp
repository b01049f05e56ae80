// Differential test of seeds 140 to 144; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 140 to 144") { fuzz::check_seeds<140, 5>(); }
