// Differential test of seeds 30 to 35; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 30 to 35") { fuzz::check_seeds<30, 6>(); }
