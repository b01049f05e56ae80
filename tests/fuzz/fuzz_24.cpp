// Differential test of seeds 120 to 124; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 120 to 124") { fuzz::check_seeds<120, 5>(); }
