// Differential test of seeds 80 to 84; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 80 to 84") { fuzz::check_seeds<80, 5>(); }
