// Differential test of seeds 165 to 169; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 165 to 169") { fuzz::check_seeds<165, 5>(); }
