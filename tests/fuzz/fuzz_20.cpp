// Differential test of seeds 100 to 104; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 100 to 104") { fuzz::check_seeds<100, 5>(); }
