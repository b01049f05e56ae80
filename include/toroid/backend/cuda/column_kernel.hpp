#pragma once
// column kernels: each lane reduces a column of its own. The threads of a block take different rows of the same columns,
// and several blocks share the rows where columns are few.

#include <toroid/backend/cuda/split.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {
namespace detail {

template <class P, int D> struct column_kernel {
    using thread = thread_body<P, D>;
    using body = typename thread::body;
    using number = typename thread::unsigned_index;
    static constexpr kernel_plan plan = thread::plan;
    static constexpr int width = thread::width;
    static constexpr int lane = thread::lane_range;
    static constexpr int columns = plan.team; ///< threads along the lanes
    static constexpr int rows = plan.threads / plan.team; ///< threads along the reduced ranges
    static constexpr int block_lanes = columns * width;

    __device__ __forceinline__ static void run(const kernel_arguments<body>& arguments) {
        __shared__ bool is_last;
        thread t(arguments);
        const int column = static_cast<int>(threadIdx.x) % columns;
        const int row = static_cast<int>(threadIdx.x) / columns;
        number linear = blockIdx.x;
        unsigned part = 0;
        if (arguments.splits > 1) {
            part = static_cast<unsigned>(linear % arguments.splits);
            linear /= arguments.splits;
        }
        const auto group_number = static_cast<unsigned>(linear);
        const auto lane_group = static_cast<number>(linear % arguments.groups);
        t.template enter<0, thread::kept - 1, 1>(linear / arguments.groups);
        t.position[lane] =
            static_cast<typename thread::index>(lane_group * block_lanes + static_cast<number>(column * width));
        const auto left = t.template extent<lane>() - t.position[lane];
        const int lanes = left >= width ? width : left > 0 ? static_cast<int>(left) : 0;
        const number total = row_elements_of(t);
        const number per_part = (total + arguments.splits - 1) / arguments.splits;
        const number begin = part * per_part;
        const number end = begin + per_part < total ? begin + per_part : total;
        bool alive = true;
        static_for<body::definition.stages>([&](auto pass) {
            if constexpr (is_last_block_stage<body>(pass))
                if (!alive) return;
            // Threads beyond the last column compute nothing but stay for the barriers.
            if (lanes > 0)
                t.template row_phase<pass>(lanes, row == 0 && (part == 0 || is_last_block_stage<body>(pass)));
            if constexpr (pass_works<body>(pass)) {
                t.template clear_sums<pass>();
                if (lanes > 0) walk<pass>(t, begin + static_cast<number>(row), end, lanes);
            }
            if constexpr (pass_reduces<body>(pass)) {
                reduce_rows<pass>(t, column, row);
                if (arguments.splits > 1) {
                    split_group<body> group(arguments, group_number, part);
                    if (row == 0) group.template publish<thread, pass, block_lanes>(t, column * width, lanes);
                    alive = group.template arrive<pass>(is_last);
                    if (alive) {
                        group.template collect<thread, pass, block_lanes>(t, row, rows, column * width, lanes);
                        reduce_rows<pass>(t, column, row);
                    }
                }
                static_for<body::values.size>([&](auto v) {
                    if constexpr (reduces_in<body>(v, pass))
                        static_for<width>([&](auto l) { t.template finish<v>(l); });
                });
            }
        });
        if (arguments.splits > 1 && alive) split_group<body>(arguments, group_number, part).leave();
    }

private:
    template <int Pass> __device__ __forceinline__ static void walk(thread& t, number begin, number end, int lanes) {
        typename thread::chunk chunks[plan.items];
        for (number at = begin; at < end; at += rows * plan.items) {
#pragma unroll
            for (int i = 0; i < plan.items; ++i) {
                const number r = at + static_cast<number>(i) * rows;
                if (r < end) {
                    t.template enter<thread::kept, thread::range_count, 1>(r);
                    t.template load<Pass>(chunks[i], lanes);
                }
            }
#pragma unroll
            for (int i = 0; i < plan.items; ++i) {
                const number r = at + static_cast<number>(i) * rows;
                if (r < end) {
                    t.template enter<thread::kept, thread::range_count, 1>(r);
                    t.template evaluate<Pass>(chunks[i], lanes);
                }
            }
        }
    }
    TOROID_HOST_DEVICE static constexpr int widest_value() {
        int widest = 1;
        for (const kernel_value& v : body::values.rows) {
            if (v.kind != value_kind::reduce) continue;
            const dtype type = body::values.rows[v.operands[0]].type;
            const int bytes = is_half(type) ? 4 : size_of(type);
            widest = bytes > widest ? bytes : widest;
        }
        return widest;
    }
    TOROID_HOST_DEVICE static constexpr bool has_indices() {
        for (const kernel_value& v : body::values.rows)
            if (v.kind == value_kind::reduce && is_arg_reduction(v.code)) return true;
        return false;
    }
    /// Combines the sums of the threads of a column, in the order of their rows; every one of them gets the results.
    template <int Pass> __device__ __forceinline__ static void reduce_rows(thread& t, int column, int row) {
        if constexpr (rows > 1) {
            constexpr int value_bytes = widest_value() * rows * block_lanes;
            __shared__ alignas(16) unsigned char buffer[value_bytes + (has_indices() ? 8 * rows * block_lanes : 0)];
            static_for<body::values.size>([&](auto v) {
                if constexpr (reduces_in<body>(v, Pass)) {
                    using holder = accumulated_elements<body, v, width>;
                    using type = typename holder::type;
                    // One buffer for every reduction in turn: the values, then the indices.
                    auto& held = *reinterpret_cast<type(*)[rows][block_lanes]>(buffer);
                    auto& indices = *reinterpret_cast<std::int64_t(*)[rows][block_lanes]>(buffer + value_bytes);
                    auto& sum = t.template sums<v>();
                    __syncthreads(); // the places may still be read for what came before
                    static_for<width>([&](auto l) {
                        held[row][column * width + l] = sum.held[l];
                        if constexpr (holder::arg) indices[row][column * width + l] = sum.indices[l];
                    });
                    __syncthreads();
                    static_for<width>([&](auto l) {
                        type value = held[0][column * width + l];
                        std::int64_t index = 0;
                        if constexpr (holder::arg) index = indices[0][column * width + l];
#pragma unroll
                        for (int r = 1; r < rows; ++r) {
                            std::int64_t other = 0;
                            if constexpr (holder::arg) other = indices[r][column * width + l];
                            thread::template combine<v>(value, index, held[r][column * width + l], other);
                        }
                        sum.held[l] = value;
                        if constexpr (holder::arg) sum.indices[l] = index;
                    });
                }
            });
        }
    }
};

} // namespace detail

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
