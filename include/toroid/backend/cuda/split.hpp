#pragma once
// split: blocks that share a row or a group of columns exchange their partial results through memory. They combine them in
// the order of the parts, so results do not depend on which block comes last.

#include <toroid/backend/cuda/collective.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

template <class Body> TOROID_HOST_DEVICE constexpr bool pass_works(int pass) {
    return pass_reduces<Body>(pass) || pass_stores<Body>(pass);
}

/// The last pass that reduces.
template <class Body> TOROID_HOST_DEVICE constexpr int last_reducing_pass() {
    int last = -1;
    for (int p = 0; p < Body::definition.stages; ++p)
        if (pass_reduces<Body>(p)) last = p;
    return last;
}
/// After its last reduction the body only writes row values: one block is enough, the last to arrive.
template <class Body> TOROID_HOST_DEVICE constexpr bool ends_with_last_block() {
    for (int p = last_reducing_pass<Body>() + 1; p < Body::definition.stages; ++p)
        if (pass_stores<Body>(p)) return false;
    return true;
}
/// Row values of this stage are computed by the last block alone.
template <class Body> TOROID_HOST_DEVICE constexpr bool is_last_block_stage(int stage) {
    return ends_with_last_block<Body>() && stage > last_reducing_pass<Body>();
}
/// Blocks that share wait for each other: all of them must be resident.
template <class Body> TOROID_HOST_DEVICE constexpr bool waits_for_blocks() {
    return !(ends_with_last_block<Body>() && last_reducing_pass<Body>() == 0);
}
/// Arrival counters of one group of blocks: one per pass, one for leaving.
template <class Body> TOROID_HOST_DEVICE constexpr int counters_per_group() { return Body::definition.stages + 1; }

/// Bytes of the partial results of one lane, of reductions before `V`.
template <class Body> TOROID_HOST_DEVICE constexpr std::int64_t partial_bytes(int before) {
    std::int64_t bytes = 0;
    for (int v = 0; v < before; ++v) {
        const kernel_value& value = Body::values.rows[v];
        if (value.kind != value_kind::reduce) continue;
        bytes += 8; // at most
        if (is_arg_reduction(value.code)) bytes += 8;
    }
    return bytes;
}

/// Part `part` of the blocks that share group `group`.
template <class Body> struct split_group {
    const kernel_arguments<Body>& arguments;
    unsigned group;
    unsigned part;

    __device__ __forceinline__ split_group(const kernel_arguments<Body>& a, unsigned number, unsigned which)
        : arguments(a), group(number), part(which) {}

    /// Address of the partial result of reduction `V` for a lane of a block; a block has `Lanes` of them.
    template <int V, class T, int Lanes>
    __device__ __forceinline__ T* place(unsigned of_part, int lane, bool index) const {
        const std::int64_t blocks = gridDim.x;
        const std::int64_t area = (partial_bytes<Body>(V) + (index ? 8 : 0)) * Lanes * blocks;
        const std::int64_t block = static_cast<std::int64_t>(group) * arguments.splits + of_part;
        return reinterpret_cast<T*>(arguments.workspace + area) + block * Lanes + lane;
    }

    /// Writes `count` lanes of this thread's sums, from lane `first` of the block's on.
    template <class Thread, int Pass, int Lanes>
    __device__ __forceinline__ void publish(Thread& t, int first, int count) {
        static_for<Body::values.size>([&](auto v) {
            if constexpr (reduces_in<Body>(v, Pass)) {
                using holder = accumulated_elements<Body, v, Thread::width>;
                using type = typename holder::type;
                static_for<(Lanes == 1 ? 1 : Thread::width)>([&](auto l) {
                    if (l < count) {
                        *place<v, type, Lanes>(part, first + l, false) = t.template sums<v>().held[l];
                        if constexpr (holder::arg)
                            *place<v, std::int64_t, Lanes>(part, first + l, true) = t.template sums<v>().indices[l];
                    }
                });
            }
        });
    }
    /// Combines the partial results of parts begin, begin + step, … into this thread's sums.
    template <class Thread, int Pass, int Lanes>
    __device__ __forceinline__ void collect(Thread& t, int begin, int step, int first, int count) {
        t.template clear_sums<Pass>();
        static_for<Body::values.size>([&](auto v) {
            if constexpr (reduces_in<Body>(v, Pass)) {
                using holder = accumulated_elements<Body, v, Thread::width>;
                using type = typename holder::type;
                for (int p = begin; p < arguments.splits; p += step)
                    static_for<(Lanes == 1 ? 1 : Thread::width)>([&](auto l) {
                        if (l < count) {
                            auto& sum = t.template sums<v>();
                            std::int64_t index = 0;
                            std::int64_t other_index = 0;
                            if constexpr (holder::arg) {
                                index = sum.indices[l];
                                other_index = *static_cast<const volatile std::int64_t*>(
                                    place<v, std::int64_t, Lanes>(p, first + l, true));
                            }
                            const type other =
                                *static_cast<const volatile type*>(place<v, type, Lanes>(p, first + l, false));
                            Thread::template combine<v>(sum.held[l], index, other, other_index);
                            if constexpr (holder::arg) sum.indices[l] = index;
                        }
                    });
            }
        });
    }
    /// All partial results of a pass are visible afterwards. False for a block that is not needed any more.
    template <int Pass> __device__ __forceinline__ bool arrive(bool& is_last) const {
        constexpr bool only_last = ends_with_last_block<Body>() && Pass == last_reducing_pass<Body>();
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned* counter = arguments.counters + group * counters_per_group<Body>() + Pass;
            const unsigned before = atomicAdd(counter, 1u);
            if constexpr (only_last) {
                is_last = before + 1 == static_cast<unsigned>(arguments.splits);
            } else {
                is_last = true;
                while (*static_cast<volatile unsigned*>(counter) < static_cast<unsigned>(arguments.splits))
                    __nanosleep(20);
            }
            __threadfence();
        }
        __syncthreads();
        return is_last;
    }
    /// Counters go back to zero when nobody reads them any more.
    __device__ __forceinline__ void leave() const {
        constexpr int count = counters_per_group<Body>();
        unsigned* counters = arguments.counters + group * count;
        if (threadIdx.x != 0) return;
        if constexpr (!ends_with_last_block<Body>())
            if (atomicAdd(counters + count - 1, 1u) + 1 != static_cast<unsigned>(arguments.splits)) return;
        for (int i = 0; i < count; ++i) counters[i] = 0;
    }
};

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
