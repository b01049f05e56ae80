// Differential test of seeds 70 to 74; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 70 to 74") { fuzz::check_seeds<70, 5>(); }
