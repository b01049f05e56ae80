// hash_combine: order matters, and small differences reach the bits that the tables index with.

#include <toroid/core/hash.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using toroid::hash_combine;

namespace {

static_assert(hash_combine(1, 2) != hash_combine(2, 1));
static_assert(hash_combine(0, 0) != 0); // zeros are values, too: a run of them does not stay at zero
static_assert(hash_combine(hash_combine(0, 0), 0) != hash_combine(0, 0));

} // namespace

TEST_CASE("consecutive numbers spread over a table") {
    // As in cse: bits 20 and up of the hash of small integers select one of 4096 buckets.
    std::vector<int> buckets(4096);
    for (std::uint64_t i = 0; i < 4096; ++i) ++buckets[hash_combine(hash_combine(5, i), i + 1) >> 20 & 4095];
    int used = 0;
    int longest = 0;
    for (const int count : buckets) {
        used += count > 0;
        longest = count > longest ? count : longest;
    }
    CHECK(used > 2000); // a random function fills 2589 of them
    CHECK(longest <= 12);
}
