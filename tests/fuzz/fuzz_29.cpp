// Differential test of seeds 145 to 149; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 145 to 149") { fuzz::check_seeds<145, 5>(); }
