#pragma once
// Matrix product on the CPU: any dtype but bool, any strides, deterministic for any number of threads.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <toroid/backend/cpu/gemm_pack.hpp>
#include <toroid/backend/cpu/gemm_region.hpp>
#include <toroid/backend/cpu/isa.hpp>
#include <toroid/backend/cpu/thread_pool.hpp>
#include <toroid/core/dtype.hpp>

namespace toroid {

/// C[m, n] = A[m, k] * B[k, n]. Strides count elements and may be negative (reversed) or 0 (broadcast); a transposed
/// operand has its strides exchanged. The rows of C are contiguous and `c_row_stride` apart. C overlaps neither A nor B.
template <dtype T> struct gemm_arguments {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    const storage_t<T>* a = nullptr;
    std::int64_t a_row_stride = 0;
    std::int64_t a_col_stride = 1;
    const storage_t<T>* b = nullptr;
    std::int64_t b_row_stride = 0;
    std::int64_t b_col_stride = 1;
    storage_t<T>* c = nullptr;
    std::int64_t c_row_stride = 0;
};

namespace detail {

//=== choice of path and split over threads ===//

struct thread_grid {
    std::int64_t rows;
    std::int64_t columns;
};

/// How to cut a grid of tiles for `threads` threads: least tiles on the busiest thread, plus what packing A and B costs
/// in units of a tile.
constexpr thread_grid split_tiles(std::int64_t tile_rows, std::int64_t tile_columns, int threads) {
    thread_grid best{1, 1};
    double least_cost = 0;
    for (int rows = 1; rows <= threads; ++rows) {
        const int columns = threads / rows;
        const std::int64_t most_rows = (tile_rows + rows - 1) / rows;
        const std::int64_t most_columns = (tile_columns + columns - 1) / columns;
        const auto height = static_cast<double>(most_rows);
        const auto width = static_cast<double>(most_columns);
        const double cost = height * width + 0.05 * height + 0.4 * width;
        if (rows == 1 || cost < least_cost) {
            least_cost = cost;
            best = {rows < tile_rows ? rows : tile_rows, columns < tile_columns ? columns : tile_columns};
        }
    }
    return best;
}

/// Multiply-adds below which waking a thread costs more than it saves.
inline constexpr double multiply_adds_per_thread = 1 << 18;

/// As a floating number: the product of three extents may exceed 64 bits.
constexpr double multiply_adds(std::int64_t m, std::int64_t n, std::int64_t k) {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

constexpr int threads_for(double multiply_adds, int available) {
    const double useful = multiply_adds / multiply_adds_per_thread;
    return useful < 2 ? 1 : useful < available ? static_cast<int>(useful) : available;
}

template <class Work, class Storage>
void multiply_by_tiles(const gemm_problem<Work, Storage>& problem, isa level, thread_pool& pool) {
    const std::int64_t tile_height = tile_rows(level);
    const std::int64_t tile_width = tile_columns(level, sizeof(Work));
    const std::int64_t down = (problem.m + tile_height - 1) / tile_height;
    const std::int64_t across = (problem.n + tile_width - 1) / tile_width;
    const thread_grid grid =
        split_tiles(down, across, threads_for(multiply_adds(problem.m, problem.n, problem.k), pool.size()));
    const auto edge = [](std::int64_t part, std::int64_t parts, std::int64_t tiles, std::int64_t size,
                         std::int64_t length) {
        const std::int64_t at = (tiles / parts * part + (part < tiles % parts ? part : tiles % parts)) * size;
        return at < length ? at : length;
    };
    pool.parallel_for(grid.rows * grid.columns, [&](std::int64_t chunk) {
        const std::int64_t r = chunk / grid.columns, c = chunk % grid.columns;
        dispatch(level, gemm_region<Work, Storage>{problem, edge(r, grid.rows, down, tile_height, problem.m),
                                                   edge(r + 1, grid.rows, down, tile_height, problem.m),
                                                   edge(c, grid.columns, across, tile_width, problem.n),
                                                   edge(c + 1, grid.columns, across, tile_width, problem.n)});
    });
}

/// `x` [rows, k] against `w` [count, k], contiguous in k.
template <class Work, class Storage>
void multiply_by_dots(matrix_view<Storage> x, std::int64_t rows, matrix_view<Storage> w, std::int64_t count,
                      std::int64_t k, Storage* y, std::int64_t y_x_stride, std::int64_t y_w_stride, isa level,
                      thread_pool& pool) {
    const Work* x_dense = nullptr;
    if constexpr (std::is_same_v<Work, Storage>)
        if (x.col_stride == 1 && (rows == 1 || x.row_stride == k)) x_dense = x.data;
    if (x_dense == nullptr) {
        Work* const copy =
            reinterpret_cast<Work*>(operand_buffer().at_least(static_cast<std::size_t>(rows * k) * sizeof(Work)));
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t p = 0; p < k; ++p)
                copy[r * k + p] = static_cast<Work>(x.data[r * x.row_stride + p * x.col_stride]);
        x_dense = copy;
    }
    const std::int64_t parts = threads_for(multiply_adds(rows, count, k), pool.size());
    pool.parallel_for(parts, [&](std::int64_t part) {
        dispatch(level, dot_region<Work, Storage>{x_dense, rows, w.data, w.row_stride, k, y, y_x_stride, y_w_stride,
                                                  count / parts * part + (part < count % parts ? part : count % parts),
                                                  count / parts * (part + 1) +
                                                      (part + 1 < count % parts ? part + 1 : count % parts)});
    });
}

/// Multiply-adds up to which a plain loop beats setting up tiles. k == 0 is among them.
inline constexpr double most_plain_multiply_adds = 128;

template <class Work, class Storage> void multiply_plainly(const gemm_problem<Work, Storage>& problem) {
    const matrix_view<Storage> a = problem.a, b = problem.b;
    for (std::int64_t i = 0; i < problem.m; ++i)
        for (std::int64_t j = 0; j < problem.n; ++j) {
            Work sum{};
            for (std::int64_t p = 0; p < problem.k; ++p) {
                const Work x = static_cast<Work>(a.data[i * a.row_stride + p * a.col_stride]);
                const Work y = static_cast<Work>(b.data[p * b.row_stride + j * b.col_stride]);
                // 1u: two 16-bit factors would be promoted to int, which their product overflows.
                sum = static_cast<Work>(sum + 1u * x * y);
            }
            problem.c[i * problem.c_row_stride + j] = static_cast<Storage>(sum);
        }
}

template <class Work, class Storage>
void multiply(const gemm_problem<Work, Storage>& problem, isa level, thread_pool& pool) {
    const std::int64_t m = problem.m, n = problem.n, k = problem.k;
    if (m <= 0 || n <= 0) return;
    if (k <= 0 || multiply_adds(m, n, k) <= most_plain_multiply_adds) multiply_plainly(problem);
    else if (m <= most_dot_rows && problem.b.row_stride == 1)
        multiply_by_dots<Work>(problem.a, m, problem.b.transposed(), n, k, problem.c, problem.c_row_stride, 1, level,
                               pool);
    else if (n <= most_dot_rows && problem.a.col_stride == 1)
        multiply_by_dots<Work>(problem.b.transposed(), n, problem.a, m, k, problem.c, 1, problem.c_row_stride, level,
                               pool);
    else multiply_by_tiles(problem, level, pool);
}

template <class Storage, bool Integral = std::is_integral_v<Storage>> struct gemm_types {
    using storage = Storage;
    using work = Storage;
};
template <class Storage> struct gemm_types<Storage, true> {
    using storage = std::make_unsigned_t<Storage>;
    using work = storage;
};
template <> struct gemm_types<float16, false> {
    using storage = float16;
    using work = float;
};
template <> struct gemm_types<bfloat16, false> {
    using storage = bfloat16;
    using work = float;
};

} // namespace detail

/// Computes `arguments` (shapes and strides: `gemm_arguments`). m == 0 or n == 0 does nothing, k == 0 gives zeros.
///
/// Numbers: f32 and f64 sum in their own type, f16 and bf16 in f32 with one rounding at the end; multiply-adds may be
/// fused. Integers wrap around in their own type. Nothing is skipped: 0 * inf is NaN. The order of a sum depends on
/// m, n, k, which strides are 1, and the instruction set, never on the number of threads: blocks of at most 384 of k, each
/// summed in order, are added in order; with m or n at most 7 and the other operand contiguous in k, as in `dot_block`.
///
/// Memory: packed operands live in a buffer per thread (a megabyte or two), grown when needed and freed when the thread
/// ends; a call of a size seen before allocates nothing. Throws `out_of_memory` if that buffer cannot grow.
template <dtype T>
void gemm(const gemm_arguments<T>& arguments, isa level = active_isa(), thread_pool& pool = default_pool()) {
    static_assert(!is_boolean(T), "toroid E023: matmul has no bool version: cast the operands to an integer dtype, for "
                                  "instance cast<i32>(x), and compare the result with 0");
    if constexpr (!is_boolean(T)) {
        using storage = typename detail::gemm_types<storage_t<T>>::storage;
        using work = typename detail::gemm_types<storage_t<T>>::work;
        detail::multiply<work, storage>(
            {arguments.m,
             arguments.n,
             arguments.k,
             {reinterpret_cast<const storage*>(arguments.a), arguments.a_row_stride, arguments.a_col_stride},
             {reinterpret_cast<const storage*>(arguments.b), arguments.b_row_stride, arguments.b_col_stride},
             reinterpret_cast<storage*>(arguments.c),
             arguments.c_row_stride},
            level, pool);
    }
}

/// The executor's matmul by default: `gemm`. `cblas.hpp` has another with the same interface.
struct native_matmul {
    template <dtype T> static void run(const gemm_arguments<T>& arguments) { gemm(arguments); }
};

} // namespace toroid
