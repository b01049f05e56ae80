// Differential test of seeds 155 to 159; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 155 to 159") { fuzz::check_seeds<155, 5>(); }
