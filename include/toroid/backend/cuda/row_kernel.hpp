#pragma once
// row kernels: reductions along the lanes. A team keeps a row in registers and reads each byte once; rows that are too long
// for that, or whose length is not known, are walked once per pass, by several blocks where rows are few.

#include <toroid/backend/cuda/collective.hpp>
#include <toroid/backend/cuda/split.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

/// A row stays in the registers of its team: part of a warp, a block, or a cluster of blocks.
template <class P, int D> struct row_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;
    using chunk = typename thread::chunk;
    static constexpr kernel_plan plan = thread::plan;
    static constexpr int stages = body::definition.stages;
    static constexpr int teams = plan.threads / plan.team; ///< of a block
    static constexpr int warps = plan.team <= warp_size ? 1 : plan.team / warp_size;
    static constexpr int results = warps * plan.cluster;
    using shared_results = shared_results_of<body, results, typename thread::numbers>;

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        if constexpr (plan.cluster > 1) run_cluster(arguments);
        else run_block(arguments);
    }

private:
    /// Blocks that come and go overlap each other's loads, sums and stores.
    __device__ __forceinline__ static void run_block(const kernel_arguments<body>& arguments) {
        __shared__ shared_results shared;
        thread t(arguments);
        const number row = static_cast<number>(blockIdx.x) * teams + threadIdx.x / plan.team;
        // Threads of a warp stay together: a team without a row computes the first row again, and writes nothing.
        const bool writes = teams == 1 || row < static_cast<number>(arguments.outer);
        t.template enter<0, thread::kept, 1>(writes ? row : 0);
        const number elements = row_elements_of(t);
        const number first = threadIdx.x % plan.team;
        chunk chunks[plan.items];
        load<0, true>(t, chunks, first, elements);
        load<0, false>(t, chunks, first, elements);
        static_for<stages>([&](auto pass) { stage<pass>(t, chunks, first, elements, writes, shared, nullptr, 0); });
        static_cast<void>(shared);
    }

    /// A row has a cluster of blocks. Large clusters are hard to place, so they live long, and load the next row while they
    /// compute (`plan.ahead`). Two sets of places and barriers alternate then, since a block may be one row ahead of
    /// another; a barrier's phase begins anew when it has ended, which is before a block two rows ahead can send.
    __device__ __forceinline__ static void run_cluster(const kernel_arguments<body>& arguments) {
        constexpr int sets = plan.ahead ? 2 : 1;
        __shared__ shared_results shared[sets];
        __shared__ std::uint64_t barriers[sets][stages];
        if (threadIdx.x == 0) {
            static_for<stages>([&](auto pass) {
                constexpr unsigned bytes = message_bytes<body, results>(pass);
                for (int set = 0; set < sets; ++set) {
                    make_barrier(&barriers[set][pass]);
                    if constexpr (bytes > 0) expect_messages(&barriers[set][pass], bytes);
                }
            });
            publish_barriers();
        }
        cluster_arrive();
        thread t(arguments);
        const number rows = static_cast<number>(arguments.outer);
        const number step = gridDim.x / plan.cluster;
        const number first = cluster_rank() * plan.team + threadIdx.x;
        const number elements = row_elements_of(t);
        chunk chunks[plan.items];
        number row = blockIdx.x / plan.cluster;
        t.template enter<0, thread::kept, 1>(row);
        load<0, true>(t, chunks, first, elements);
        load<0, false>(t, chunks, first, elements);
        cluster_wait(); // every block has its barriers
        if constexpr (!plan.ahead) {
            static_for<stages>(
                [&](auto pass) { stage<pass>(t, chunks, first, elements, true, shared[0], &barriers[0][pass], 0); });
        } else {
            for (unsigned turn = 0; row < rows; ++turn, row += step) {
                chunk next[plan.items];
                if (row + step < rows) {
                    t.template enter<0, thread::kept, 1>(row + step);
                    load<0, true>(t, next, first, elements);
                    load<0, false>(t, next, first, elements);
                }
                t.template enter<0, thread::kept, 1>(row);
                static_for<stages>([&](auto pass) {
                    stage<pass>(t, chunks, first, elements, true, shared[turn % 2], &barriers[turn % 2][pass],
                                turn / 2 % 2);
                });
#pragma unroll
                for (int i = 0; i < plan.items; ++i) chunks[i] = next[i];
            }
        }
    }

    /// Row values of a stage, then the pass over the row that follows.
    template <int Stage, class Shared>
    __device__ __forceinline__ static void stage(thread& t, chunk (&chunks)[plan.items], number first, number elements,
                                                 bool writes, Shared& shared, std::uint64_t* barrier, unsigned phase) {
        if constexpr (Stage > last_working_pass()) {
            // What is left are row values: the thread that writes them computes them.
            if (writes && first == 0) t.template row_phase<Stage>(1, true);
        } else {
            t.template row_phase<Stage>(1, writes && first == 0);
            evaluate<Stage>(t, chunks, first, elements, writes);
            if constexpr (Stage + 1 < stages) { // while the team reduces
                load<Stage + 1, true>(t, chunks, first, elements);
                load<Stage + 1, false>(t, chunks, first, elements);
            }
            finish_pass<Stage>(t, shared, barrier, phase);
        }
    }
    TOROID_HOST_DEVICE static constexpr int last_working_pass() {
        int last = 0;
        for (int p = 0; p < stages; ++p)
            if (pass_works<body>(p)) last = p;
        return last;
    }
    /// The pass before which the elements of a value are loaded: in a warp's row at once, else just before they are
    /// needed, to hold fewer registers.
    TOROID_HOST_DEVICE static constexpr int load_pass(int value) {
        const kernel_value& v = body::values.rows[value];
        if (plan.team <= warp_size) return 0;
        int pass = 0;
        while (pass < stages && (v.passes >> pass & 1) == 0) ++pass;
        return pass;
    }
    /// True when chunk `i` has elements for the thread; `lanes` of its vector exist.
    __device__ __forceinline__ static bool enter_chunk(thread& t, int i, number first, number elements, int& lanes) {
        const number at = (first + static_cast<number>(i) * (plan.team * plan.cluster)) * plan.vector;
        if constexpr (!plan.full)
            if (at >= elements) return false;
        t.template enter<thread::kept, thread::range_count, plan.vector>(at / plan.vector);
        const number left = elements - at;
        lanes = left < static_cast<number>(plan.vector) ? static_cast<int>(left) : plan.vector;
        return true;
    }
    /// Weights, or what differs from row to row.
    template <int Pass, bool Fixed>
    __device__ __forceinline__ static void load(thread& t, chunk (&chunks)[plan.items], number first, number elements) {
        int lanes = plan.vector;
#pragma unroll
        for (int i = 0; i < plan.items; ++i)
            if (enter_chunk(t, i, first, elements, lanes))
                static_for<body::values.size>([&](auto v) {
                    if constexpr (loaded_elements<body, v, thread::width>::used)
                        if constexpr (load_pass(v) == Pass && thread::shape::is_fixed(v) == Fixed)
                            t.template load_value<v>(chunks[i], lanes);
                });
    }
    template <int Pass>
    __device__ __forceinline__ static void evaluate(thread& t, chunk (&chunks)[plan.items], number first,
                                                    number elements, bool writes) {
        if constexpr (pass_works<body>(Pass)) {
            t.template clear_sums<Pass>();
            static_for<plan.items>([&](auto i) {
                int lanes = plan.vector;
                if (enter_chunk(t, i, first, elements, lanes))
                    t.template evaluate<Pass, i == 0>(chunks[i], lanes, writes);
            });
        }
    }
    template <int Pass, class Shared>
    __device__ __forceinline__ static void finish_pass(thread& t, Shared& shared, std::uint64_t* barrier,
                                                       unsigned phase) {
        if constexpr (pass_reduces<body>(Pass)) {
            static_for<body::values.size>([&](auto v) {
                if constexpr (reduces_in<body>(v, Pass)) reduce_lanes<v>(t);
            });
            reduce_team<Pass, plan.team, plan.cluster>(t, shared, barrier, phase);
            if constexpr (plan.ahead) {
                constexpr unsigned bytes = message_bytes<body, results>(Pass);
                if (threadIdx.x == 0) expect_messages(barrier, bytes);
            }
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
        // Blocks that share a row take turns on it: together they read one stretch of memory.
        constexpr number turn = plan.threads * plan.items;
        const number begin = part * turn;
        const number step = arguments.splits * turn;
        bool alive = true;
        static_for<body::definition.stages>([&](auto pass) {
            if constexpr (is_last_block_stage<body>(pass))
                if (!alive) return;
            t.template row_phase<pass>(1, threadIdx.x == 0 && (part == 0 || is_last_block_stage<body>(pass)));
            if constexpr (pass_works<body>(pass)) {
                t.template clear_sums<pass>();
                walk<pass>(t, begin, step, vectors, elements);
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
    __device__ __forceinline__ static void walk(thread& t, number begin, number step, number end, number elements) {
        typename thread::chunk chunks[plan.items];
        for (number at = begin + threadIdx.x; at < end; at += step) {
#pragma unroll
            for (int i = 0; i < plan.items; ++i) {
                const number vector = at + static_cast<number>(i) * plan.threads;
                if (vector < end) {
                    t.template enter<thread::kept, thread::range_count, plan.vector>(vector);
                    t.template load<Pass>(chunks[i], lanes_at(vector, elements));
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
