// Differential test of seeds 36 to 41; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 36 to 41") { fuzz::check_seeds<36, 6>(); }
