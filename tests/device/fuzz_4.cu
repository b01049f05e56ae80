// Random models of seeds 20 to 24 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 20 to 24 on the GPU") { fuzz::check_seeds<20, 5, toroid::targets::sm_90>(); }
