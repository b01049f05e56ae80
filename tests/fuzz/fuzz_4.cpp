// Differential test of seeds 24 to 29; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 24 to 29") { fuzz::check_seeds<24, 6>(); }
