// Differential test of seeds 95 to 99; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 95 to 99") { fuzz::check_seeds<95, 5>(); }
