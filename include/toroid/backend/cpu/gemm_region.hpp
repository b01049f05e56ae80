#pragma once
// What one thread does of a CPU matmul: a rectangle of C by tiles, or a range of dot products.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <toroid/backend/cpu/gemm_kernel.hpp>
#include <toroid/backend/cpu/gemm_pack.hpp>
#include <toroid/backend/cpu/isa.hpp>

namespace toroid::detail {

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

} // namespace toroid::detail
