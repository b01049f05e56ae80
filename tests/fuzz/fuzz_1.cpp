// Differential test of seeds 6 to 11; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 6 to 11") { fuzz::check_seeds<6, 6>(); }
