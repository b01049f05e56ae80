// Differential test of seeds 48 to 53; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 48 to 53") { fuzz::check_seeds<48, 6>(); }
