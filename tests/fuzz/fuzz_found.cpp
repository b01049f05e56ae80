// Seeds that have found a fault in the compiler, each named by what was wrong.

#include "fuzz.hpp"

namespace {
template <unsigned Seed> void check_seed() {
    fuzz::totals sum;
    fuzz::run_seed<Seed, toroid::targets::cpu>(sum);
    CHECK(sum.judged > 0);
}
} // namespace

TEST_CASE("fuzz: a row normalised along one axis is reduced along another of the same extent") { check_seed<77>(); }

TEST_CASE("fuzz: a slice to the last element of a run-time extent that is 0") {
    check_seed<149>();
    check_seed<181>();
}

TEST_CASE("fuzz: an input that nothing reads determines the symbol") { check_seed<19>(); }
