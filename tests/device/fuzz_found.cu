// Seeds that have found a fault in the compiler, and fusion level 0, on the GPU.

#include "fuzz.hpp"

namespace {
template <unsigned Seed> void check_seed() {
    fuzz::totals sum;
    fuzz::run_seed<Seed, toroid::targets::sm_90>(sum);
    CHECK(sum.judged > 0);
}
} // namespace

TEST_CASE("fuzz: a row normalised along one axis is reduced along another of the same extent") { check_seed<77>(); }

TEST_CASE("fuzz: a slice to the last element of a run-time extent that is 0") {
    check_seed<149>();
    check_seed<181>();
}

TEST_CASE("fuzz: seeds 0 and 1, fusion level 0") {
    fuzz::check_seeds<0, 2, toroid::targets::with_fusion_level<toroid::targets::sm_90, 0>>();
}
