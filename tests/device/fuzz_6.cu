// Random models of seeds 30 to 34 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 30 to 34 on the GPU") { fuzz::check_seeds<30, 5, toroid::targets::sm_90>(); }
