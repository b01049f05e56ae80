#pragma once
// memory: places the blocks of the arena. Constant sizes get constant offsets; symbolic sizes get slots.

#include <limits>

#include <toroid/wrapper/line.hpp>

namespace toroid {

/// Most bytes of a buffer and of an arena, with room to align.
inline constexpr std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max() - 4096;

constexpr std::int64_t align_up(std::int64_t bytes, std::int64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

namespace detail {

/// Constant sizes: largest first, then longest-lived, each at the lowest offset free during its life.
constexpr void place_static(wrapper_builder& w, int alignment) {
    const int count = w.blocks.size();
    growable<int> order(count);
    for (int i = 0; i < count; ++i) {
        const auto before = [&](int a, int b) {
            const arena_block& x = w.blocks[a];
            const arena_block& y = w.blocks[b];
            if (x.bytes.k != y.bytes.k) return x.bytes.k > y.bytes.k;
            return x.end - x.begin > y.end - y.begin;
        };
        int at = i;
        for (; at > 0 && before(i, order[at - 1]); --at) order[at] = order[at - 1];
        order[at] = i;
    }
    growable<int> placed; // in order of offset
    for (int i = 0; i < count; ++i) {
        arena_block& block = w.blocks[order[i]];
        const std::int64_t size = align_up(block.bytes.k, alignment);
        std::int64_t offset = 0;
        for (const int p : placed) {
            const arena_block& other = w.blocks[p];
            if (other.end < block.begin || block.end < other.begin) continue;
            if (other.offset >= offset + size) break;
            const std::int64_t after = other.offset + align_up(other.bytes.k, alignment);
            offset = after > offset ? after : offset;
        }
        if (size > max_bytes - offset) {
            w.fault.arena_overflows = true;
            return;
        }
        block.offset = offset;
        int at = placed.push(order[i]);
        for (; at > 0 && w.blocks[placed[at - 1]].offset > offset; --at) placed[at] = placed[at - 1];
        placed[at] = order[i];
        w.static_arena_bytes = offset + size > w.static_arena_bytes ? offset + size : w.static_arena_bytes;
    }
}

/// Symbolic sizes: a block takes a slot that is free and comparable with it coefficient by coefficient.
constexpr void place_symbolic(wrapper_builder& w) {
    w.static_arena = false;
    for (arena_block& block : w.blocks) {
        int best = -1;
        for (int s = 0; s < w.slots.size(); ++s) {
            const arena_slot& slot = w.slots[s];
            if (slot.busy_until >= block.begin) continue;
            if (slot.bytes == block.bytes) {
                best = s;
                break;
            }
            if (best < 0 &&
                (statically_known_leq(block.bytes, slot.bytes) || statically_known_leq(slot.bytes, block.bytes)))
                best = s;
        }
        if (best < 0) best = w.slots.push({block.bytes, -1});
        arena_slot& slot = w.slots[best];
        if (statically_known_leq(slot.bytes, block.bytes)) slot.bytes = block.bytes;
        slot.busy_until = block.end;
        block.slot = best;
    }
}

} // namespace detail

/// Places every block. Blocks come in the order of their first step.
constexpr void plan_memory(wrapper_builder& w, const target_facts& facts) {
    bool constant = true;
    for (const arena_block& block : w.blocks) constant = constant && block.bytes.is_constant();
    if (constant) detail::place_static(w, facts.alignment);
    else detail::place_symbolic(w);
}

} // namespace toroid
