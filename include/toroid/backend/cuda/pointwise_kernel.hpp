#pragma once
// pointwise kernels: vectors along the lanes, several in flight; and tiles for what lies across the lanes.

#include <toroid/backend/cuda/thread_body.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

/// Number of lanes of the vector at the current position that exist.
template <class Thread> __device__ __forceinline__ int existing_lanes(const Thread& t) {
    if constexpr (Thread::lane_range < 0 || !Thread::plan.tail) {
        return Thread::width;
    } else {
        constexpr int lane = Thread::lane_range;
        const auto left = t.template extent<lane>() - t.position[lane];
        return left < Thread::width ? static_cast<int>(left) : Thread::width;
    }
}

/// Vectors are numbered through the index space; a block takes `items` times its threads of them.
template <class P, int D> struct pointwise_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        constexpr kernel_plan plan = thread::plan;
        thread t(arguments);
        typename thread::chunk chunks[plan.items];
        const number total = static_cast<number>(arguments.outer);
        const number first = static_cast<number>(blockIdx.x) * (plan.threads * plan.items) + threadIdx.x;
#pragma unroll
        for (int i = 0; i < plan.items; ++i) {
            const number at = first + static_cast<number>(i) * plan.threads;
            if (at < total) {
                t.template enter<0, thread::range_count, plan.vector>(at);
                t.template load<0>(chunks[i], existing_lanes(t));
            }
        }
#pragma unroll
        for (int i = 0; i < plan.items; ++i) {
            const number at = first + static_cast<number>(i) * plan.threads;
            if (at < total) {
                t.template enter<0, thread::range_count, plan.vector>(at);
                t.template evaluate<0>(chunks[i], existing_lanes(t));
            }
        }
    }
};

//=== tiles ===//

template <class P, int D, int V> struct tile_elements {
    static constexpr bool used = is_crosswise_value<P, D>(V);
    static constexpr int side = tile_side<P, D>();
    storage_t<kernel_body<P, D>::values[V].type> held[used ? side : 1][used ? side + 1 : 1];
};
template <class P, int D, class Numbers> struct tile_of;
template <class P, int D, int... V>
struct tile_of<P, D, std::integer_sequence<int, V...>> : tile_elements<P, D, V>... {};

template <class P, int D> struct tile_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;
    using index = typename thread::index;
    static constexpr int side = tile_side<P, D>();
    static constexpr int lane = body::definition.lane_range;
    static constexpr int across = crosswise_range<P, D>();
    using tile = tile_of<P, D, typename thread::numbers>;

    /// Positions of the ranges outside the tile.
    __device__ __forceinline__ static void enter_outer(thread& t, number linear) {
        static_for<thread::range_count>([&](auto i) {
            constexpr int r = thread::range_count - 1 - i;
            if constexpr (r != lane && r != across) {
                const auto size = static_cast<number>(t.template extent<r>());
                t.position[r] = static_cast<index>(linear % size);
                linear /= size;
            }
        });
    }

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        constexpr kernel_plan plan = thread::plan;
        __shared__ tile shared;
        thread t(arguments);
        const index lanes = t.template extent<lane>();
        const index rows = t.template extent<across>();
        const auto lane_tiles = static_cast<number>((lanes + side - 1) / side);
        const auto row_tiles = static_cast<number>((rows + side - 1) / side);
        number linear = blockIdx.x;
        const index first_lane = static_cast<index>(linear % lane_tiles) * side;
        linear /= lane_tiles;
        const index first_row = static_cast<index>(linear % row_tiles) * side;
        enter_outer(t, linear / row_tiles);

        // Across the lanes: neighbouring threads read neighbouring elements of the other range.
        constexpr int per_pass = plan.threads / side;
        const index row = first_row + static_cast<index>(threadIdx.x % side);
        t.position[across] = row;
        static_for<body::values.size>([&](auto v) {
            if constexpr (is_crosswise_value<P, D>(v)) {
                constexpr int access = body::values[v].access;
                auto& held = static_cast<tile_elements<P, D, v>&>(shared).held;
                storage_t<body::values[v].type> loaded[side / per_pass];
#pragma unroll
                for (int i = 0; i < side / per_pass; ++i) {
                    t.position[lane] = first_lane + i * per_pass + static_cast<index>(threadIdx.x / side);
                    if (row < rows && t.position[lane] < lanes)
                        loaded[i] = *(t.template base<access>() + t.template offset<access>());
                }
#pragma unroll
                for (int i = 0; i < side / per_pass; ++i)
                    held[i * per_pass + threadIdx.x / side][threadIdx.x % side] = loaded[i];
            }
        });

        // Along the lanes.
        constexpr int width = thread::width;
        constexpr int across_threads = side / width;
        constexpr int rows_per_pass = plan.threads / across_threads;
        constexpr int passes = side / rows_per_pass > 0 ? side / rows_per_pass : 1;
        typename thread::chunk chunks[passes];
        const int local_lane = static_cast<int>(threadIdx.x % across_threads) * width;
        t.position[lane] = first_lane + local_lane;
        const auto exists = [&](int i) {
            const int local_row = i * rows_per_pass + static_cast<int>(threadIdx.x / across_threads);
            t.position[across] = first_row + local_row;
            return local_row < side && t.position[across] < rows && t.position[lane] < lanes;
        };
        const auto left = lanes - t.position[lane];
        const int count = left < width ? static_cast<int>(left) : width;
#pragma unroll
        for (int i = 0; i < passes; ++i)
            if (exists(i))
                static_for<body::values.size>([&](auto v) {
                    using holder = loaded_elements<body, v, width>;
                    if constexpr (holder::used && !is_crosswise_value<P, D>(v))
                        t.template load_value<v>(chunks[i], count);
                });
        __syncthreads();
#pragma unroll
        for (int i = 0; i < passes; ++i)
            if (exists(i)) {
                const int local_row = i * rows_per_pass + static_cast<int>(threadIdx.x / across_threads);
                static_for<body::values.size>([&](auto v) {
                    if constexpr (is_crosswise_value<P, D>(v)) {
                        using holder = loaded_elements<body, v, width>;
                        auto& held = static_cast<holder&>(chunks[i]).held;
#pragma unroll
                        for (int l = 0; l < width; ++l)
                            held.values[l] =
                                static_cast<tile_elements<P, D, v>&>(shared).held[local_lane + l][local_row];
                    }
                });
                t.template evaluate<0>(chunks[i], count);
            }
    }
};

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
