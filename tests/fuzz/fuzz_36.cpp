// Differential test of seeds 180 to 184; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 180 to 184") { fuzz::check_seeds<180, 5>(); }
