// Differential test of seeds 42 to 47; see fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 42 to 47") { fuzz::check_seeds<42, 6>(); }
