// The memory planner: blocks whose lives meet never share a byte, and the arena is as large as its blocks need.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/core/target.hpp>
#include <toroid/wrapper/memory.hpp>

namespace toroid::tests {
namespace {

constexpr dim N = symbol('N');
constexpr dim M = symbol('M');

constexpr arena_block block(dim bytes, int begin, int end) {
    arena_block result;
    result.bytes = bytes;
    result.begin = begin;
    result.end = end;
    return result;
}
template <class... Block> constexpr wrapper_builder planned(const Block&... blocks) {
    wrapper_builder w;
    (w.blocks.push(blocks), ...);
    plan_memory(w, targets::cpu::facts);
    return w;
}

//=== constant sizes ===//

static_assert(align_up(0, 64) == 0 && align_up(1, 64) == 64 && align_up(64, 64) == 64 && align_up(65, 64) == 128);

static_assert(planned().static_arena && planned().static_arena_bytes == 0);
static_assert(planned(block(100, 0, 3)).static_arena_bytes == 128, "the end is aligned too");
static_assert(planned(block(64, 0, 1), block(64, 1, 2)).static_arena_bytes == 128, "both live at step 1");
static_assert(planned(block(64, 0, 1), block(64, 2, 3)).static_arena_bytes == 64, "one after the other");
static_assert(planned(block(64, 0, 1), block(64, 2, 3)).blocks[1].offset == 0);
static_assert(planned(block(64, 0, 5), block(128, 0, 1), block(128, 2, 3)).static_arena_bytes == 192);
static_assert(planned(block(64, 0, 5), block(128, 0, 1)).blocks[1].offset == 0, "the largest is placed first");
// Between two blocks that live on there is a gap of exactly the right size.
constexpr wrapper_builder in_the_gap_source() {
    return planned(block(256, 0, 9), block(128, 0, 1), block(64, 0, 9), block(128, 2, 3));
}
static_assert(in_the_gap_source().static_arena_bytes == 448);
static_assert(in_the_gap_source().blocks[3].offset == in_the_gap_source().blocks[1].offset);
static_assert(planned(block(0, 0, 1), block(0, 0, 1)).static_arena_bytes == 0, "empty tensors take no room");

//=== symbolic sizes ===//

static_assert(!planned(block(4 * N, 0, 1)).static_arena);
static_assert(planned(block(4 * N, 0, 1), block(4 * N, 2, 3)).slots.size() == 1);
static_assert(planned(block(4 * N, 0, 1), block(4 * N, 1, 3)).slots.size() == 2);
static_assert(planned(block(4 * N, 0, 1), block(8 * N, 2, 3)).slots.size() == 1, "comparable: the slot grows");
static_assert(planned(block(4 * N, 0, 1), block(8 * N, 2, 3)).slots[0].bytes == 8 * N);
static_assert(planned(block(8 * N, 0, 1), block(4 * N, 2, 3)).slots[0].bytes == 8 * N, "and never shrinks");
static_assert(planned(block(4 * N, 0, 1), block(4 * M, 2, 3)).slots.size() == 2, "neither is known to be larger");
static_assert(planned(block(4 * N + 64, 0, 1), block(8 * N, 2, 3)).slots.size() == 2, "larger for some N only");
static_assert(planned(block(4 * N, 0, 1), block(64, 2, 3)).slots.size() == 2, "4N may be less than 64");
// Of two free slots the equal one is taken.
constexpr wrapper_builder equal_first() { return planned(block(8 * N, 0, 1), block(4 * N, 0, 1), block(4 * N, 2, 3)); }
static_assert(equal_first().blocks[2].slot == equal_first().blocks[1].slot);

//=== properties of random plans ===//

bool lives_meet(const arena_block& a, const arena_block& b) { return a.begin <= b.end && b.begin <= a.end; }

/// Blocks in the order of their first step, as lowering makes them.
std::vector<arena_block> random_blocks(std::mt19937& random, bool symbolic) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int count = 1 + below(24);
    std::vector<arena_block> blocks;
    int begin = 0;
    for (int i = 0; i < count; ++i) {
        begin += below(3);
        const dim sizes[] = {dim(below(1000)), dim(4 * below(64)) * N, dim(4 * below(16)) * N * M,
                             dim(8 * below(9)) * M + dim(64 * below(3))};
        blocks.push_back(block(sizes[symbolic ? below(4) : 0], begin, begin + below(6)));
    }
    return blocks;
}

wrapper_builder plan(const std::vector<arena_block>& blocks, int alignment) {
    wrapper_builder w;
    for (const arena_block& b : blocks) w.blocks.push(b);
    target_facts facts = targets::cpu::facts;
    facts.alignment = alignment;
    plan_memory(w, facts);
    return w;
}

TEST_CASE("1,000 random plans of constant sizes: no overlap, aligned, within the arena, no worse than no sharing") {
    int shared = 0;
    for (unsigned seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const int alignment = 16 << (seed % 4);
        const wrapper_builder w = plan(random_blocks(random, false), alignment);
        REQUIRE(w.static_arena);
        std::int64_t unshared = 0;
        std::int64_t top = 0;
        for (int i = 0; i < w.blocks.size(); ++i) {
            const arena_block& a = w.blocks[i];
            const std::int64_t a_end = a.offset + a.bytes.k;
            REQUIRE(a.offset >= 0);
            REQUIRE(a.offset % alignment == 0);
            REQUIRE(a_end <= w.static_arena_bytes);
            unshared += align_up(a.bytes.k, alignment);
            top = std::max(top, a.offset + align_up(a.bytes.k, alignment));
            for (int j = 0; j < i; ++j) {
                const arena_block& b = w.blocks[j];
                const bool apart = a_end <= b.offset || b.offset + b.bytes.k <= a.offset;
                REQUIRE((apart || !lives_meet(a, b)));
            }
        }
        REQUIRE(top == w.static_arena_bytes);
        REQUIRE(w.static_arena_bytes <= unshared);
        // No plan is smaller than the blocks that live at one step.
        for (int step = 0; step < 64; ++step) {
            std::int64_t alive = 0;
            for (const arena_block& b : w.blocks)
                if (b.begin <= step && step <= b.end) alive += align_up(b.bytes.k, alignment);
            REQUIRE(alive <= w.static_arena_bytes);
        }
        shared += w.static_arena_bytes < unshared ? 1 : 0;
    }
    CHECK(shared > 800);
}

TEST_CASE(
    "1,000 random plans of symbolic sizes: a slot holds one block at a time and is large enough for every extent") {
    int shared = 0;
    for (unsigned seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const wrapper_builder w = plan(random_blocks(random, true), 64);
        if (w.static_arena) continue; // every size happened to be constant
        for (int i = 0; i < w.blocks.size(); ++i) {
            const arena_block& a = w.blocks[i];
            REQUIRE(a.slot >= 0);
            REQUIRE(a.slot < w.slots.size());
            for (const std::int64_t n : {0, 1, 3, 100})
                for (const std::int64_t m : {0, 1, 7}) {
                    const symbol_values values = {{'N', n}, {'M', m}};
                    REQUIRE(a.bytes.evaluate(values) <= w.slots[a.slot].bytes.evaluate(values));
                }
            for (int j = 0; j < i; ++j) REQUIRE((a.slot != w.blocks[j].slot || !lives_meet(a, w.blocks[j])));
        }
        shared += w.slots.size() < w.blocks.size() ? 1 : 0;
    }
    CHECK(shared > 500);
}

} // namespace
} // namespace toroid::tests
