// Differential test of seeds 30 to 34; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 30 to 34") { fuzz::check_seeds<30, 5>(); }
