// Differential test of seeds 105 to 109; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 105 to 109") { fuzz::check_seeds<105, 5>(); }
