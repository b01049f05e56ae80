// Differential test of seeds 150 to 154; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 150 to 154") { fuzz::check_seeds<150, 5>(); }
