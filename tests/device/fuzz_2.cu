// Random models of seeds 10 to 14 on the GPU; see tests/fuzz/fuzz.hpp.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 10 to 14 on the GPU") { fuzz::check_seeds<10, 5, toroid::targets::sm_90>(); }
