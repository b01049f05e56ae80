// Differential test of seeds 65 to 69; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 65 to 69") { fuzz::check_seeds<65, 5>(); }
