// Random models of seeds 0 to 4 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 0 to 4 on the GPU") { fuzz::check_seeds<0, 5, toroid::targets::sm_90>(); }
