// Differential test of seeds 125 to 129; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 125 to 129") { fuzz::check_seeds<125, 5>(); }
