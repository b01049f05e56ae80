// Differential test of seeds 195 to 199; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 195 to 199") { fuzz::check_seeds<195, 5>(); }
