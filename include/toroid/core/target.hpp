#pragma once
// Targets: constexpr facts about what a program is built for. `schedule/` and `wrapper/` read facts, never a backend.

#include <cstdint>

#include <toroid/core/config.hpp>

namespace toroid {

/// What an executing backend can fuse and how its memory likes to be used. Plain facts, compared by value.
struct target_facts {
    /// Which fusions the scheduler may use; a pinned level keeps old contracts true when new fusions are learned.
    /// 0: none (every operation is a kernel); 1: pointwise, reductions, siblings, views.
    int fusion_level = 1;
    int max_fused_ops = 256;          ///< most operations of one kernel
    int max_inlined_ops = 8;          ///< most operations recomputed through a view instead of stored
    int alignment = 64;               ///< bytes, of every buffer in the arena
    std::int64_t stash_bytes = 65536; ///< on-chip bytes for row values that a later pass over the row needs again
    bool in_place = true;             ///< a kernel may write over an operand that dies with it
    bool extern_allocates = false;    ///< extern kernels allocate their results themselves

    friend constexpr bool operator==(const target_facts&, const target_facts&) = default;
};

namespace targets {

/// The CPU backend: x86-64 with run-time choice of AVX2 or AVX-512, portable otherwise.
struct cpu {
    static constexpr target_facts facts{};
};

/// NVIDIA GPUs of compute capability 9.0 (Hopper): values of rows of up to 262,144 elements are kept in the registers of
/// a cluster from one pass to the next.
struct sm_90 {
    static constexpr target_facts facts{.alignment = 256, .stash_bytes = 8 * 262144};
    static constexpr int architecture = 90;
};

/// NVIDIA GPUs of compute capability 8.0 and above, without clusters: the same for rows of up to 32,768 elements.
struct sm_80 {
    static constexpr target_facts facts{.alignment = 256, .stash_bytes = 8 * 32768};
    static constexpr int architecture = 80;
};

/// A target with another fusion level: `targets::with_fusion_level<targets::cpu, 0>` keeps every operation apart.
template <class Target, int Level> struct with_fusion_level : Target {
    static constexpr target_facts make() {
        target_facts result = Target::facts;
        result.fusion_level = Level;
        return result;
    }
    static constexpr target_facts facts = make();
};

} // namespace targets
} // namespace toroid
