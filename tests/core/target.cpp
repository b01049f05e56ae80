// Targets are facts; a pinned fusion level changes that fact and no other.

#include <toroid/core/target.hpp>

#include <doctest/doctest.h>

namespace {

using toroid::target_facts;
namespace targets = toroid::targets;

static_assert(targets::cpu::facts == target_facts{});
static_assert(targets::cpu::facts.fusion_level >= 1 && targets::cpu::facts.alignment >= 64);
static_assert((targets::cpu::facts.alignment & (targets::cpu::facts.alignment - 1)) == 0);

using apart = targets::with_fusion_level<targets::cpu, 0>;
constexpr target_facts restored() {
    target_facts facts = apart::facts;
    facts.fusion_level = targets::cpu::facts.fusion_level;
    return facts;
}
static_assert(apart::facts.fusion_level == 0 && apart::facts != targets::cpu::facts);
static_assert(restored() == targets::cpu::facts);
static_assert(targets::with_fusion_level<apart, 1>::facts == targets::cpu::facts);

//=== GPUs ===//

static_assert(targets::sm_90::architecture == 90 && targets::sm_80::architecture == 80);
static_assert(targets::sm_90::facts.alignment >= 256, "accesses of 16 bytes, and the alignment of allocations");
static_assert(targets::sm_90::facts.fusion_level == targets::cpu::facts.fusion_level);
static_assert(targets::sm_90::facts.stash_bytes > targets::sm_80::facts.stash_bytes, "clusters hold longer rows");
static_assert(targets::with_fusion_level<targets::sm_90, 0>::architecture == 90);

} // namespace

TEST_CASE("a pinned level changes one fact") { CHECK(restored() == targets::cpu::facts); }
