#pragma once
// row kernels: reductions along the lanes. A team keeps a row in registers and reads each byte once; rows that are too long
// for that, or whose length is not known, are walked once per pass, by several blocks where rows are few.

#include <toroid/backend/cuda/collective.hpp>
#include <toroid/backend/cuda/split.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

/// A row stays in the registers of its team.
template <class P, int D> struct row_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;
    static constexpr kernel_plan plan = thread::plan;
    static constexpr int warps = plan.team <= warp_size ? 1 : plan.team / warp_size;
    using shared_results = shared_results_of<body, warps * plan.cluster, typename thread::numbers>;

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        __shared__ shared_results shared;
        thread t(arguments);
        constexpr int teams = plan.threads / plan.team;
        const unsigned rank = plan.cluster > 1 ? cluster_rank() : 0;
        const number row = static_cast<number>(blockIdx.x / plan.cluster) * teams + threadIdx.x / plan.team;
        // Threads without a row stay: the others shuffle with them.
        const bool exists = teams == 1 || row < static_cast<number>(arguments.outer);
        t.template enter<0, thread::kept, 1>(exists ? row : 0);
        const number elements = exists ? row_elements_of(t) : 0;
        const number first = rank * plan.team + threadIdx.x % plan.team;
        if constexpr (plan.cluster > 1) cluster_arrive(); // every block has begun before one writes to another

        typename thread::chunk chunks[plan.items];
        static_for<body::definition.stages>([&](auto pass) {
            pass_over<pass>(t, chunks, first, elements);
            if constexpr (pass == 0 && plan.cluster > 1) cluster_wait();
            finish_pass<pass>(t, shared);
        });
        static_cast<void>(shared);
    }

private:
    /// True when the chunk has elements for the thread; `lanes` of its vector exist.
    __device__ __forceinline__ static bool enter_chunk(thread& t, int i, number first, number elements, int& lanes) {
        const number at = (first + static_cast<number>(i) * (plan.team * plan.cluster)) * plan.vector;
        if (at >= elements) return false;
        t.template enter<thread::kept, thread::range_count, plan.vector>(at / plan.vector);
        const number left = elements - at;
        lanes = left < static_cast<number>(plan.vector) ? static_cast<int>(left) : plan.vector;
        return true;
    }
    template <int Pass>
    __device__ __forceinline__ static void pass_over(thread& t, typename thread::chunk (&chunks)[plan.items],
                                                     number first, number elements) {
        if constexpr (pass_works<body>(Pass)) {
            int lanes = plan.vector;
#pragma unroll
            for (int i = 0; i < plan.items; ++i)
                if (enter_chunk(t, i, first, elements, lanes)) t.template load<Pass, false>(chunks[i], lanes);
        }
        t.template row_phase<Pass>(1, elements_writer(t, first, elements));
        if constexpr (pass_works<body>(Pass)) {
            t.template clear_sums<Pass>();
            int lanes = plan.vector;
#pragma unroll
            for (int i = 0; i < plan.items; ++i)
                if (enter_chunk(t, i, first, elements, lanes)) t.template evaluate<Pass>(chunks[i], lanes);
        }
    }
    /// The thread that writes row values: the first of a team that has a row.
    __device__ __forceinline__ static bool elements_writer(const thread& t, number first, number) {
        constexpr int teams = plan.threads / plan.team;
        if constexpr (teams == 1) return first == 0;
        const number row = static_cast<number>(blockIdx.x) * teams + threadIdx.x / plan.team;
        return first == 0 && row < static_cast<number>(t.arguments.outer);
    }
    template <int Pass, class Shared> __device__ __forceinline__ static void finish_pass(thread& t, Shared& shared) {
        if constexpr (pass_reduces<body>(Pass)) {
            static_for<body::values.size>([&](auto v) {
                if constexpr (reduces_in<body>(v, Pass)) reduce_lanes<v>(t);
            });
            reduce_team<Pass, plan.team, plan.cluster>(t, shared);
            static_for<body::values.size>([&](auto v) {
                if constexpr (reduces_in<body>(v, Pass)) t.template finish<v>(0);
            });
        }
    }
};

/// Blocks walk over a row, once per pass. With `splits` above 1 that many blocks share it.
template <class P, int D> struct row_loop_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;
    static constexpr kernel_plan plan = thread::plan;
    using shared_results = shared_results_of<body, plan.threads / warp_size, typename thread::numbers>;

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        __shared__ shared_results shared;
        __shared__ bool is_last;
        thread t(arguments);
        const unsigned part = arguments.splits > 1 ? blockIdx.x % arguments.splits : 0;
        const unsigned row = arguments.splits > 1 ? blockIdx.x / arguments.splits : blockIdx.x;
        t.template enter<0, thread::kept, 1>(row);
        const number elements = row_elements_of(t);
        const number vectors = (elements + plan.vector - 1) / plan.vector;
        const number per_part = (vectors + arguments.splits - 1) / arguments.splits;
        const number begin = part * per_part;
        const number end = begin + per_part < vectors ? begin + per_part : vectors;
        bool alive = true;
        static_for<body::definition.stages>([&](auto pass) {
            if (!alive) return;
            t.template row_phase<pass>(1, threadIdx.x == 0 && (part == 0 || is_last_block_stage<body>(pass)));
            if constexpr (pass_works<body>(pass)) {
                t.template clear_sums<pass>();
                walk<pass>(t, begin, end, elements);
            }
            if constexpr (pass_reduces<body>(pass)) {
                static_for<body::values.size>([&](auto v) {
                    if constexpr (reduces_in<body>(v, pass)) reduce_lanes<v>(t);
                });
                reduce_team<pass, plan.threads, 1>(t, shared);
                if (arguments.splits > 1) {
                    split_group<body> group(arguments, row, part);
                    if (threadIdx.x == 0) group.template publish<thread, pass, 1>(t, 0, 1);
                    alive = group.template arrive<pass>(is_last);
                    if (alive) {
                        group.template collect<thread, pass, 1>(t, threadIdx.x, plan.threads, 0, 1);
                        reduce_team<pass, plan.threads, 1>(t, shared);
                    }
                }
                static_for<body::values.size>([&](auto v) {
                    if constexpr (reduces_in<body>(v, pass)) t.template finish<v>(0);
                });
            }
        });
        if (arguments.splits > 1 && alive) split_group<body>(arguments, row, part).leave();
    }

private:
    template <int Pass>
    __device__ __forceinline__ static void walk(thread& t, number begin, number end, number elements) {
        typename thread::chunk chunks[plan.items];
        for (number at = begin + threadIdx.x; at < end; at += plan.threads * plan.items) {
#pragma unroll
            for (int i = 0; i < plan.items; ++i) {
                const number vector = at + static_cast<number>(i) * plan.threads;
                if (vector < end) {
                    t.template enter<thread::kept, thread::range_count, plan.vector>(vector);
                    t.template load<Pass, true>(chunks[i], lanes_at(vector, elements));
                }
            }
#pragma unroll
            for (int i = 0; i < plan.items; ++i) {
                const number vector = at + static_cast<number>(i) * plan.threads;
                if (vector < end) {
                    t.template enter<thread::kept, thread::range_count, plan.vector>(vector);
                    t.template evaluate<Pass>(chunks[i], lanes_at(vector, elements));
                }
            }
        }
    }
    __device__ __forceinline__ static int lanes_at(number vector, number elements) {
        const number left = elements - vector * plan.vector;
        return left < static_cast<number>(plan.vector) ? static_cast<int>(left) : plan.vector;
    }
};

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
