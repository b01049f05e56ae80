// Differential test of seeds 0 to 5; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 0 to 5") { fuzz::check_seeds<0, 6>(); }
