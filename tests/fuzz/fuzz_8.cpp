// Differential test of seeds 40 to 44; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 40 to 44") { fuzz::check_seeds<40, 5>(); }
