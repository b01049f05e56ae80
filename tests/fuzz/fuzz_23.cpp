// Differential test of seeds 115 to 119; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 115 to 119") { fuzz::check_seeds<115, 5>(); }
