// Differential test of seeds 18 to 23; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 18 to 23") { fuzz::check_seeds<18, 6>(); }
