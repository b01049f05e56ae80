// Differential test of seeds 175 to 179; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 175 to 179") { fuzz::check_seeds<175, 5>(); }
