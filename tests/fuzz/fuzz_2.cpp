// Differential test of seeds 10 to 14; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 10 to 14") { fuzz::check_seeds<10, 5>(); }
