// Random models of seeds 25 to 29 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 25 to 29 on the GPU") { fuzz::check_seeds<25, 5, toroid::targets::sm_90>(); }
