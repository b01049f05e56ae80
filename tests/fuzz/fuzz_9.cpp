// Differential test of seeds 45 to 49; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 45 to 49") { fuzz::check_seeds<45, 5>(); }
