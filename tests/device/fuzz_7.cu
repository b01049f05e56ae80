// Random models of seeds 35 to 39 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 35 to 39 on the GPU") { fuzz::check_seeds<35, 5, toroid::targets::sm_90>(); }
