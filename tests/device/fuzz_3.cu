// Random models of seeds 15 to 19 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 15 to 19 on the GPU") { fuzz::check_seeds<15, 5, toroid::targets::sm_90>(); }
