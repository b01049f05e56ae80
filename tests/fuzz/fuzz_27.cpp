// Differential test of seeds 135 to 139; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 135 to 139") { fuzz::check_seeds<135, 5>(); }
