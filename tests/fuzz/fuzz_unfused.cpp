// Differential test without fusion: every operation is a kernel, and every value passes through memory.

#include "fuzz.hpp"

TEST_CASE("fuzz: seeds 0 to 2, fusion level 0") {
    fuzz::check_seeds<0, 3, toroid::targets::with_fusion_level<toroid::targets::cpu, 0>>();
}
