#pragma once
// collective: threads combine their partial results: lanes of a vector, part of a warp, a block, a cluster of blocks.
// Every tree is fixed by the plan, so results are bit-identical from run to run.

#include <toroid/backend/cuda/thread_body.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

inline constexpr unsigned whole_warp = 0xffffffffu;
inline constexpr int warp_size = 32;

template <class T> __device__ __forceinline__ T shuffle_xor(T x, int mask) {
    if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_xor_sync(whole_warp, static_cast<int>(x), mask));
    else if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
        return static_cast<T>(__shfl_xor_sync(whole_warp, static_cast<long long>(x), mask));
    else return __shfl_xor_sync(whole_warp, x, mask);
}

//=== clusters ===//

/// Every block of a cluster has begun once all have arrived. Orders no memory: a release would wait for loads under way.
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}
/// What a value is in shared memory when blocks exchange it.
template <class T> using sent_type = std::conditional_t<sizeof(T) < 4, int, T>;

/// One thread makes a barrier that counts the messages of a cluster.
/// Source: PTX ISA, asynchronous barriers (mbarrier).
__device__ __forceinline__ void make_barrier(std::uint64_t* barrier) {
#if __CUDA_ARCH__ >= 900
    const auto here = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(here) : "memory");
#endif
}
/// One thread begins a phase of `bytes` of messages. Messages may come before: the phase ends after both.
__device__ __forceinline__ void expect_messages(std::uint64_t* barrier, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    const auto here = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(here), "r"(bytes) : "memory");
#endif
}
/// Lets the other blocks of the cluster see barriers that were made ready.
__device__ __forceinline__ void publish_barriers() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
/// Waits for the end of a phase; phases of a barrier alternate between 0 and 1.
__device__ __forceinline__ void wait_for_messages(std::uint64_t* barrier, unsigned phase) {
#if __CUDA_ARCH__ >= 900
    const auto here = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    asm volatile("{\n"
                 ".reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete, [%0], %1;\n"
                 "@complete bra done;\n"
                 "bra again;\n"
                 "done:\n"
                 "}" ::"r"(here),
                 "r"(phase)
                 : "memory");
#endif
}
/// Writes a value to the same place of shared memory in block `rank` of the cluster, and counts it at the barrier there.
template <class T>
__device__ __forceinline__ void send_in_cluster(T* place, T value, std::uint64_t* barrier, unsigned rank) {
#if __CUDA_ARCH__ >= 900
    unsigned there;
    unsigned barrier_there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(place))), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(barrier_there)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))), "r"(rank));
    if constexpr (sizeof(T) == 8) {
        unsigned long long bits;
        __builtin_memcpy(&bits, &value, 8);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(there),
                     "l"(bits), "r"(barrier_there)
                     : "memory");
    } else {
        unsigned bits;
        __builtin_memcpy(&bits, &value, 4);
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there),
                     "r"(bits), "r"(barrier_there)
                     : "memory");
    }
#endif
}

//=== row teams ===//

/// Elements of a row, as a product of run-time extents.
template <class Thread> __device__ __forceinline__ typename Thread::unsigned_index row_elements_of(const Thread& t) {
    typename Thread::unsigned_index product = 1;
    static_for<Thread::range_count - Thread::kept>([&](auto r) {
        product *= static_cast<typename Thread::unsigned_index>(t.template extent<Thread::kept + r>());
    });
    return product;
}

/// Partial results of the warps of a row, for one reduction. One place per reduction: no barrier protects reuse.
template <class Body, int V, int Count> struct warp_results {
    static constexpr bool used = Body::values[V].kind == value_kind::reduce;
    static constexpr bool arg = used && is_arg_reduction(Body::values[V].code);
    using type = sent_type<typename accumulated_elements<Body, V, 1>::type>;
    type held[used ? Count : 1];
    std::int64_t indices[arg ? Count : 1];
};
/// Bytes of the messages of a pass that reach one block, from `Count` warps.
template <class Body, int Count> TOROID_HOST_DEVICE constexpr unsigned message_bytes(int pass) {
    unsigned bytes = 0;
    for (int v = 0; v < Body::values.size; ++v) {
        if (!reduces_in<Body>(v, pass)) continue;
        const kernel_value& value = Body::values.rows[v];
        const dtype type = Body::values.rows[value.operands[0]].type;
        bytes += Count * ((type == dtype::i64 || type == dtype::f64 ? 8 : 4) + (is_arg_reduction(value.code) ? 8 : 0));
    }
    return bytes;
}
template <class Body, int Count, class Numbers> struct shared_results_of;
template <class Body, int Count, int... V>
struct shared_results_of<Body, Count, std::integer_sequence<int, V...>> : warp_results<Body, V, Count>... {};

/// Combines within groups of `Size` threads of a warp; every thread gets the result.
template <class Thread, int V, int Size, class T>
__device__ __forceinline__ void reduce_in_warp(T& value, std::int64_t& index) {
    constexpr bool arg = is_arg_reduction(Thread::body::values[V].code);
#pragma unroll
    for (int mask = Size / 2; mask > 0; mask /= 2) {
        const T other = shuffle_xor(value, mask);
        std::int64_t other_index = 0;
        if constexpr (arg) other_index = shuffle_xor(index, mask);
        Thread::template combine<V>(value, index, other, other_index);
    }
}
/// Combines the lanes of a thread's vector into lane 0.
template <int V, class Thread> __device__ __forceinline__ void reduce_lanes(Thread& t) {
    using holder = accumulated_elements<typename Thread::body, V, Thread::width>;
    auto& sum = t.template sums<V>();
#pragma unroll
    for (int half = Thread::width / 2; half > 0; half /= 2)
#pragma unroll
        for (int l = 0; l < half; ++l) {
            std::int64_t none = 0;
            if constexpr (holder::arg)
                Thread::template combine<V>(sum.held[l], sum.indices[l], sum.held[l + half], sum.indices[l + half]);
            else Thread::template combine<V>(sum.held[l], none, sum.held[l + half], none);
        }
}

/// Combines the first lanes of all threads of a team of `Team` threads in `Cluster` blocks, for every reduction of a
/// pass. Teams of more than a warp are whole blocks. Every thread gets the results, in lane 0.
template <int Pass, int Team, int Cluster, class Thread, class Shared>
__device__ __forceinline__ void reduce_team(Thread& t, Shared& shared, std::uint64_t* barrier = nullptr,
                                            unsigned phase = 0) {
    using body = typename Thread::body;
    constexpr int in_warp = Team < warp_size ? Team : warp_size;
    constexpr int warps = Team <= warp_size ? 1 : Team / warp_size;
    constexpr int results = warps * Cluster;
    static_assert((results & (results - 1)) == 0);
    constexpr int used = results < warp_size ? results : warp_size; // groups of lanes that each combine all results
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const unsigned rank = Cluster > 1 ? cluster_rank() : 0;
    static_for<body::values.size>([&](auto v) {
        if constexpr (reduces_in<body>(v, Pass)) {
            using holder = accumulated_elements<body, v, Thread::width>;
            auto& sum = t.template sums<v>();
            std::int64_t index = 0;
            if constexpr (holder::arg) index = sum.indices[0];
            reduce_in_warp<Thread, v, in_warp>(sum.held[0], index);
            if constexpr (holder::arg) sum.indices[0] = index;
            if constexpr (results > 1) {
                auto& place = static_cast<warp_results<body, v, results>&>(shared);
                if constexpr (Cluster > 1) {
                    if (lane < Cluster) {
                        const int at = static_cast<int>(rank) * warps + warp;
                        send_in_cluster(&place.held[at], static_cast<sent_type<typename holder::type>>(sum.held[0]),
                                        barrier, lane);
                        if constexpr (holder::arg) send_in_cluster(&place.indices[at], index, barrier, lane);
                    }
                } else if (lane == 0) {
                    place.held[warp] = sum.held[0];
                    if constexpr (holder::arg) place.indices[warp] = index;
                }
            }
        }
    });
    if constexpr (results == 1) {
        __syncwarp(); // a row value may be written in place after this
    } else {
        if constexpr (Cluster > 1) {
            wait_for_messages(barrier, phase);
        } else {
            __syncthreads();
        }
        static_for<body::values.size>([&](auto v) {
            if constexpr (reduces_in<body>(v, Pass)) {
                using holder = accumulated_elements<body, v, Thread::width>;
                auto& place = static_cast<warp_results<body, v, results>&>(shared);
                auto& sum = t.template sums<v>();
                auto value = reduction_identity<body::values[v].code, typename holder::type>();
                std::int64_t index = -1;
                for (int i = lane % used; i < results; i += warp_size) {
                    std::int64_t other = 0;
                    if constexpr (holder::arg) other = place.indices[i];
                    Thread::template combine<v>(value, index, static_cast<typename holder::type>(place.held[i]), other);
                }
                reduce_in_warp<Thread, v, used>(value, index);
                sum.held[0] = value;
                if constexpr (holder::arg) sum.indices[0] = index;
            }
        });
    }
}

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
