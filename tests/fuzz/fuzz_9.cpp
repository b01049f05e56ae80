// Differential test of seeds 54 to 59; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 54 to 59") { fuzz::check_seeds<54, 6>(); }
