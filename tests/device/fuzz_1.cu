// Random models of seeds 5 to 9 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 5 to 9 on the GPU") { fuzz::check_seeds<5, 5, toroid::targets::sm_90>(); }
