// Differential test of seeds 130 to 134; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 130 to 134") { fuzz::check_seeds<130, 5>(); }
