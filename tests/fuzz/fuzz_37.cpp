// Differential test of seeds 185 to 189; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 185 to 189") { fuzz::check_seeds<185, 5>(); }
