#pragma once
// Matrix product on the CPU: any dtype but bool, any strides, deterministic for any number of threads.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <toroid/backend/cpu/gemm_kernel.hpp>
#include <toroid/backend/cpu/gemm_pack.hpp>
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

//=== outer products: a rectangle of C on one thread ===//

/// A tile is this many rows by two vectors: sums, one line of B and a broadcast fit the registers.
constexpr int tile_rows(isa level) { return level == isa::avx512 ? 8 : level == isa::avx2 ? 6 : 4; }
constexpr int tile_columns(isa level, std::size_t element_bytes) {
    return 2 * vector_bytes(level) / static_cast<int>(element_bytes);
}

/// Work: what sums are kept in. Storage: the element type, unsigned for integers, whose products wrap around.
template <class Work, class Storage> struct gemm_problem {
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
    matrix_view<Storage> a;
    matrix_view<Storage> b;
    Storage* c;
    std::int64_t c_row_stride;
};

/// At most this many rows (or columns) go through dot products if the other operand is contiguous in k.
inline constexpr std::int64_t most_dot_rows = 7;

/// At most this many rows read B in place in sweeps of `sweep_vectors` vectors: reading B is what costs then.
inline constexpr std::int64_t most_sweep_rows = 3;
inline constexpr int sweep_vectors = 8;

/// Depth of the k blocks, the only thing besides k that decides the order of sums. Blocks are of nearly equal depth; a
/// few rows stream B from memory, and shallow blocks read it row after row.
constexpr std::int64_t depth_of_block(std::int64_t m, std::int64_t k) {
    const std::int64_t limit = m <= most_sweep_rows ? 32 : 384;
    const std::int64_t blocks = (k + limit - 1) / limit;
    return (k + blocks - 1) / blocks;
}

template <class Work, class Storage> struct gemm_region {
    gemm_problem<Work, Storage> problem;
    std::int64_t first_row;
    std::int64_t last_row;
    std::int64_t first_column;
    std::int64_t last_column;

    static constexpr bool widens = !std::is_same_v<Work, Storage>;
    static constexpr std::int64_t rows_of_a = 128;
    static constexpr std::int64_t rows_of_sums = 256;
    static constexpr std::int64_t columns_of_b = 384 * 4 / static_cast<std::int64_t>(sizeof(Work));

    template <isa I> __attribute__((always_inline)) inline void operator()(isa_tag<I>) const {
        constexpr std::int64_t panel = tile_columns(I, sizeof(Work));
        const std::int64_t row_step = widens ? rows_of_sums : last_row - first_row;
        const std::int64_t column_step = round_up(columns_of_b, panel);
        const std::int64_t depth_step = depth_of_block(problem.m, problem.k);
        const std::int64_t columns = round_up(least(column_step, last_column - first_column), panel);
        const std::int64_t rows = least(row_step, last_row - first_row);

        // Layout of the workspace: A's block, B's panels, and the sums of types that are rounded once at the end.
        const std::int64_t a_bytes = bytes_of(packed_a_elements<Work>(least(rows, rows_of_a), depth_step));
        const std::int64_t b_bytes = bytes_of(depth_step * columns);
        const std::int64_t sum_bytes = widens ? bytes_of(rows * columns) : 0;
        std::byte* const space = packing_buffer().at_least(static_cast<std::size_t>(a_bytes + b_bytes + sum_bytes));
        Work* const a_space = reinterpret_cast<Work*>(space);
        Work* const b_space = reinterpret_cast<Work*>(space + a_bytes);

        for (std::int64_t j = first_column; j < last_column; j += column_step)
            for (std::int64_t i = first_row; i < last_row; i += row_step) {
                const std::int64_t width = least(column_step, last_column - j);
                const std::int64_t height = least(row_step, last_row - i);
                Storage* const c = problem.c + i * problem.c_row_stride + j;
                if constexpr (widens) {
                    Work* const sums = reinterpret_cast<Work*>(space + a_bytes + b_bytes);
                    block<I>(i, height, j, width, depth_step, a_space, b_space, sums, columns);
                    for (std::int64_t row = 0; row < height; ++row)
                        for (std::int64_t column = 0; column < width; ++column)
                            c[row * problem.c_row_stride + column] = static_cast<Storage>(sums[row * columns + column]);
                } else {
                    block<I>(i, height, j, width, depth_step, a_space, b_space, c, problem.c_row_stride);
                }
            }
    }

private:
    static constexpr std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
    static constexpr std::int64_t bytes_of(std::int64_t elements) {
        return round_up(elements * static_cast<std::int64_t>(sizeof(Work)), 64);
    }

    // Packing pays when a block is read often enough. It changes no sum.
    [[nodiscard]] bool b_in_place(std::int64_t height) const {
        return !widens && problem.b.col_stride == 1 && height <= 32;
    }
    [[nodiscard]] bool a_in_place(std::int64_t width) const {
        return !widens && (problem.a.row_stride == 1 || problem.a.col_stride == 1) && width < 64;
    }

    // All of k for a block of C that is at most `columns_of_b` wide.
    template <isa I>
    __attribute__((always_inline)) inline void block(std::int64_t row, std::int64_t height, std::int64_t column,
                                                     std::int64_t width, std::int64_t depth_step, Work* a_space,
                                                     Work* b_space, Work* c, std::int64_t c_stride) const {
        constexpr int panel = tile_columns(I, sizeof(Work));
        for (std::int64_t p = 0; p < problem.k; p += depth_step) {
            const std::int64_t depth = least(depth_step, problem.k - p);
            const matrix_view<Storage> b = problem.b.at(p, column);
            // B's last panel is packed in any case, because only there it is padded.
            for (std::int64_t j = b_in_place(height) ? width / panel * panel : 0; j < width; j += panel) {
                const int used = static_cast<int>(least(panel, width - j));
                pack_panel<I>(b_space + j * depth, b.at(0, j), depth, used, used <= panel / 2 ? panel / 2 : panel);
            }
            for (std::int64_t i = 0; i < height; i += rows_of_a) {
                const std::int64_t rows = least(rows_of_a, height - i);
                const matrix_view<Storage> a_part = problem.a.at(row + i, p);
                matrix_view<Work> a;
                if constexpr (widens) a = pack_a<I>(a_space, a_part, rows, depth);
                else a = a_in_place(width) ? a_part : pack_a<I>(a_space, a_part, rows, depth);
                std::int64_t j = 0;
                if constexpr (!widens)
                    if (b_in_place(height))
                        j = in_place<I>(a, rows, b, width, depth, c + i * c_stride, c_stride, p != 0);
                for (; j < width; j += panel) {
                    const int used = static_cast<int>(least(panel, width - j));
                    Work* const to = c + i * c_stride + j;
                    if (used <= panel / 2)
                        strip<I, 1>(a, rows, b_space + j * depth, panel / 2, depth, to, c_stride, used, p != 0);
                    else strip<I, 2>(a, rows, b_space + j * depth, panel, depth, to, c_stride, used, p != 0);
                }
            }
        }
    }

    // The full panels of a B that is not packed; returns how many columns that were.
    template <isa I>
    __attribute__((always_inline)) inline std::int64_t
    in_place(matrix_view<Work> a, std::int64_t rows, matrix_view<Work> b, std::int64_t width, std::int64_t depth,
             Work* c, std::int64_t c_stride, bool accumulate) const {
        constexpr int panel = tile_columns(I, sizeof(Work));
        constexpr int sweep = sweep_vectors * panel / 2;
        std::int64_t j = 0;
        if (problem.m <= most_sweep_rows)
            for (; j + sweep <= width; j += sweep)
                for (std::int64_t i = 0; i < rows; ++i)
                    run_as(isa_tag<I>{}, gemm_tile<Work, 1, sweep_vectors>{
                                             a.data + i * a.row_stride, a.row_stride, a.col_stride, b.data + j,
                                             b.row_stride, depth, c + i * c_stride + j, c_stride, sweep, accumulate});
        for (; j + panel <= width; j += panel)
            strip<I, 2>(a, rows, b.data + j, b.row_stride, depth, c + j, c_stride, panel, accumulate);
        return j;
    }

    // Tiles from top to bottom: full ones, then 2 rows and 1.
    template <isa I, int Vectors>
    __attribute__((always_inline)) static inline void strip(matrix_view<Work> a, std::int64_t rows, const Work* b,
                                                            std::int64_t b_stride, std::int64_t depth, Work* c,
                                                            std::int64_t c_stride, int used, bool accumulate) {
        constexpr int most = tile_rows(I);
        std::int64_t i = 0;
        const auto tiles = [&]<int Rows>(std::integral_constant<int, Rows>) __attribute__((always_inline)) {
            for (; i + Rows <= rows; i += Rows)
                run_as(isa_tag<I>{},
                       gemm_tile<Work, Rows, Vectors>{a.data + i * a.row_stride, a.row_stride, a.col_stride, b,
                                                      b_stride, depth, c + i * c_stride, c_stride, used, accumulate});
        };
        tiles(std::integral_constant<int, most>{});
        tiles(std::integral_constant<int, 2>{});
        tiles(std::integral_constant<int, 1>{});
    }
};

//=== dot products: a few vectors against a matrix whose rows are contiguous in k ===//

/// y[r, j] = dot(x[r, :], w[j, :]) for the rows [first, last) of w; y is written by strides.
template <class Work, class Storage> struct dot_region {
    const Work* x; // [rows, k], dense
    std::int64_t rows;
    const Storage* w;
    std::int64_t w_stride;
    std::int64_t k;
    Storage* y;
    std::int64_t y_x_stride;
    std::int64_t y_w_stride;
    std::int64_t first;
    std::int64_t last;

    template <isa I> __attribute__((always_inline)) inline void operator()(isa_tag<I> tag) const {
        std::int64_t j = first;
        for (; j + 4 <= last; j += 4) columns<4>(tag, j);
        for (; j < last; ++j) columns<1>(tag, j);
    }

private:
    template <int Columns, isa I>
    __attribute__((always_inline)) inline void columns(isa_tag<I> tag, std::int64_t j) const {
        std::int64_t r = 0;
        if constexpr (Columns > 1)
            for (; r + 2 <= rows; r += 2) block<2, Columns>(tag, r, j);
        for (; r < rows; ++r) block<1, Columns>(tag, r, j);
    }

    template <int Rows, int Columns, isa I>
    __attribute__((always_inline)) inline void block(isa_tag<I> tag, std::int64_t r, std::int64_t j) const {
        Work sums[Rows * Columns];
        dot_block<Work, Storage, Rows, Columns>{x + r * k, k, w + j * w_stride, w_stride, k, sums}(tag);
        for (int i = 0; i < Rows; ++i)
            for (int q = 0; q < Columns; ++q)
                y[(r + i) * y_x_stride + (j + q) * y_w_stride] = static_cast<Storage>(sums[i * Columns + q]);
    }
};

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
        const double height = static_cast<double>((tile_rows + rows - 1) / rows);
        const double width = static_cast<double>((tile_columns + columns - 1) / columns);
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
    for (std::int64_t i = 0; i < problem.m; ++i)
        for (std::int64_t j = 0; j < problem.n; ++j) {
            const matrix_view<Storage> a = problem.a.at(i, 0), b = problem.b.at(0, j);
            Work sum{};
            for (std::int64_t p = 0; p < problem.k; ++p)
                sum = static_cast<Work>(sum + static_cast<Work>(a.data[p * a.col_stride]) *
                                                  static_cast<Work>(b.data[p * b.row_stride]));
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
/// m, n, k, which strides are 1, and the instruction set, never on the number of threads: k in blocks of at most 384,
/// one after the other, each in its order; with m or n at most 7 and the other operand contiguous in k, as in `dot_block`.
///
/// Memory: packed operands live in a buffer per thread (a megabyte or two), grown when needed and freed when the thread
/// ends; a call of a size seen before allocates nothing. Throws `out_of_memory` if that buffer cannot grow.
template <dtype T>
void gemm(const gemm_arguments<T>& arguments, isa level = active_isa(), thread_pool& pool = default_pool()) {
    static_assert(!is_boolean(T), "toroid: matmul has no bool version: cast the operands to an integer dtype, for "
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
