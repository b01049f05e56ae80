#pragma once
// Register-level kernels of the CPU matmul: vector types, the outer-product tile and the dot-product block.

#include <cstdint>
#include <type_traits>
#include <utility>

#include <toroid/backend/cpu/isa.hpp>
#include <toroid/core/dtype.hpp>

namespace toroid::detail {

//=== vectors ===//

// GCC's generic vectors: g++, clang and nvcc's host compiler all lower them to whatever the enclosing function is
// compiled for, after inlining. Hence always_inline everywhere, and no vector is passed by value (its calling convention
// would depend on the instruction set).

template <class T, int Bytes> struct vector_of;
template <class T> struct vector_of<T, 8> {
    typedef T type __attribute__((vector_size(8)));
    typedef T unaligned __attribute__((vector_size(8), aligned(alignof(T)), may_alias));
};
template <class T> struct vector_of<T, 16> {
    typedef T type __attribute__((vector_size(16)));
    typedef T unaligned __attribute__((vector_size(16), aligned(alignof(T)), may_alias));
};
template <class T> struct vector_of<T, 32> {
    typedef T type __attribute__((vector_size(32)));
    typedef T unaligned __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};
template <class T> struct vector_of<T, 64> {
    typedef T type __attribute__((vector_size(64)));
    typedef T unaligned __attribute__((vector_size(64), aligned(alignof(T)), may_alias));
};

template <class Work, int Bytes> using vector_t = typename vector_of<Work, Bytes>::type;

template <class Work, int Bytes>
__attribute__((always_inline)) inline void load(vector_t<Work, Bytes>& to, const Work* from) {
    to = *reinterpret_cast<const typename vector_of<Work, Bytes>::unaligned*>(from);
}

template <class Work, int Bytes>
__attribute__((always_inline)) inline void store(Work* to, const vector_t<Work, Bytes>& from) {
    *reinterpret_cast<typename vector_of<Work, Bytes>::unaligned*>(to) = from;
}

// Halves widen on the way in: the formulas of float16 and bfloat16 on whole vectors.
template <class Work, int Bytes>
__attribute__((always_inline)) inline void load(vector_t<float, Bytes>& to, const bfloat16* from) {
    static_assert(std::is_same_v<Work, float>);
    using word = vector_t<std::uint32_t, Bytes>;
    vector_t<std::uint16_t, Bytes / 2> bits;
    load<std::uint16_t, Bytes / 2>(bits, &from->bits);
    to = (vector_t<float, Bytes>)(__builtin_convertvector(bits, word) << 16);
}

template <class Work, int Bytes>
__attribute__((always_inline)) inline void load(vector_t<float, Bytes>& to, const float16* from) {
    static_assert(std::is_same_v<Work, float>);
    using word = vector_t<std::uint32_t, Bytes>;
    vector_t<std::uint16_t, Bytes / 2> bits;
    load<std::uint16_t, Bytes / 2>(bits, &from->bits);
    const word wide = __builtin_convertvector(bits, word);
    const word magnitude = (wide << 13) & 0x0fffe000u;
    const word sign = (wide << 16) & 0x80000000u;
    const word special = (word)(magnitude >= 0x0f800000u) & 0x7f800000u;
    const vector_t<float, Bytes> scaled = (vector_t<float, Bytes>)magnitude * 0x1p112f;
    to = (vector_t<float, Bytes>)((word)scaled | special | sign);
}

//=== outer-product tile ===//

/// C[Rows, columns] (+)= A[Rows, k] * B[k, columns]: each element is one chain of multiply-adds in the order of k.
/// A is read by strides; B is a panel of `Vectors` vectors per row, of which `columns` elements are stored.
template <class Work, int Rows, int Vectors> struct gemm_tile {
    const Work* a;
    std::int64_t a_row_stride;
    std::int64_t a_k_stride;
    const Work* b;
    std::int64_t b_k_stride;
    std::int64_t k;
    Work* c;
    std::int64_t c_row_stride;
    int columns;
    bool accumulate;

    template <isa I> __attribute__((always_inline)) inline void operator()(isa_tag<I>) const {
        run<vector_bytes(I)>(std::make_integer_sequence<int, Rows>{}, std::make_integer_sequence<int, Vectors>{});
    }

private:
    // Packs instead of loops: g++ -O2 keeps an array in registers only if no loop indexes it.
    template <int Bytes, int... Row, int... V>
    __attribute__((always_inline)) inline void run(std::integer_sequence<int, Row...>,
                                                   std::integer_sequence<int, V...>) const {
        using vector = vector_t<Work, Bytes>;
        constexpr int lanes = Bytes / static_cast<int>(sizeof(Work));
        vector sum[Rows * Vectors] = {};
        const Work* const row[Rows] = {a + Row * a_row_stride...};
        const Work* panel = b;
        std::int64_t at = 0;
        for (std::int64_t p = 0; p < k; ++p) {
            vector line[Vectors];
            (load<Work, Bytes>(line[V], panel + V * lanes), ...);
            (multiply_add<Row, vector>(sum, row[Row][at], line, std::integer_sequence<int, V...>{}), ...);
            panel += b_k_stride;
            at += a_k_stride;
        }
        if (columns == Vectors * lanes) {
            (store_row<Row, Bytes>(sum, std::integer_sequence<int, V...>{}), ...);
            return;
        }
        Work spilled[Rows * Vectors * lanes];
        (spill<Row, Bytes>(spilled, sum, std::integer_sequence<int, V...>{}), ...);
        for (int i = 0; i < Rows; ++i)
            for (int j = 0; j < columns; ++j) {
                const Work value = spilled[i * Vectors * lanes + j];
                Work& to = c[i * c_row_stride + j];
                to = accumulate ? static_cast<Work>(to + value) : value;
            }
    }

    template <int Row, class Vector, int... V>
    __attribute__((always_inline)) static inline void multiply_add(Vector* sum, Work factor, const Vector* line,
                                                                   std::integer_sequence<int, V...>) {
        const Vector all = factor - Vector{}; // a broadcast: x - 0 is x for every x, -0 and NaN included
        ((sum[Row * Vectors + V] += all * line[V]), ...);
    }

    template <int Row, int Bytes, int... V>
    __attribute__((always_inline)) inline void store_row(const vector_t<Work, Bytes>* sum,
                                                         std::integer_sequence<int, V...>) const {
        constexpr int lanes = Bytes / static_cast<int>(sizeof(Work));
        Work* const to = c + Row * c_row_stride;
        if (accumulate) {
            vector_t<Work, Bytes> old[Vectors];
            (load<Work, Bytes>(old[V], to + V * lanes), ...);
            (store<Work, Bytes>(to + V * lanes, old[V] + sum[Row * Vectors + V]), ...);
        } else {
            (store<Work, Bytes>(to + V * lanes, sum[Row * Vectors + V]), ...);
        }
    }

    template <int Row, int Bytes, int... V>
    __attribute__((always_inline)) static inline void spill(Work* to, const vector_t<Work, Bytes>* sum,
                                                            std::integer_sequence<int, V...>) {
        constexpr int lanes = Bytes / static_cast<int>(sizeof(Work));
        (store<Work, Bytes>(to + (Row * Vectors + V) * lanes, sum[Row * Vectors + V]), ...);
    }
};

//=== dot-product block ===//

// Halves are added to halves down to one element. (Reading the halves as an array compiles to register extracts; a
// shuffle with a pack of indices is lost by nvcc's front end.)
template <class Work, int Bytes>
__attribute__((always_inline)) inline Work horizontal_sum(const vector_t<Work, Bytes>& vector) {
    constexpr int lanes = Bytes / static_cast<int>(sizeof(Work));
    if constexpr (Bytes > 16) {
        const auto* const halves = reinterpret_cast<const typename vector_of<Work, Bytes / 2>::unaligned*>(&vector);
        const vector_t<Work, Bytes / 2> sum = halves[0] + halves[1];
        return horizontal_sum<Work, Bytes / 2>(sum);
    } else if constexpr (lanes == 4) {
        return (vector[0] + vector[2]) + (vector[1] + vector[3]);
    } else {
        Work all[lanes];
        store<Work, Bytes>(all, vector);
        for (int width = lanes / 2; width > 0; width /= 2)
            for (int i = 0; i < width; ++i) all[i] = static_cast<Work>(all[i] + all[i + width]);
        return all[0];
    }
}

/// y[r, j] = dot(x[r, :], w[j, :]) for Rows rows of x and Columns rows of w, all contiguous in k; w streams once.
/// Order of a dot product: two vectors of partial sums (even and odd vectors of k), the rest of k padded with zeros,
/// then halves are added to halves. It depends on k and the instruction set only.
template <class Work, class Storage, int Rows, int Columns> struct dot_block {
    const Work* x;
    std::int64_t x_stride;
    const Storage* w;
    std::int64_t w_stride;
    std::int64_t k;
    Work* y; // [Rows, Columns], dense

    template <isa I> __attribute__((always_inline)) inline void operator()(isa_tag<I>) const {
        run<vector_bytes(I)>(std::make_integer_sequence<int, Rows>{}, std::make_integer_sequence<int, Columns>{});
    }

private:
    template <int Bytes, int... Row, int... Column>
    __attribute__((always_inline)) inline void run(std::integer_sequence<int, Row...>,
                                                   std::integer_sequence<int, Column...>) const {
        using vector = vector_t<Work, Bytes>;
        constexpr int lanes = Bytes / static_cast<int>(sizeof(Work));
        constexpr std::integer_sequence<int, Row...> rows;
        vector even[Rows * Columns] = {};
        vector odd[Rows * Columns] = {};
        const Work* const x_rows[Rows] = {x + Row * x_stride...};
        const Storage* const w_rows[Columns] = {w + Column * w_stride...};
        std::int64_t p = 0;
        for (; p + 2 * lanes <= k; p += 2 * lanes) {
            vector line[Rows];
            (load<Work, Bytes>(line[Row], x_rows[Row] + p), ...);
            (step<Column, Bytes>(even, line, w_rows[Column] + p, rows), ...);
            (load<Work, Bytes>(line[Row], x_rows[Row] + p + lanes), ...);
            (step<Column, Bytes>(odd, line, w_rows[Column] + p + lanes, rows), ...);
        }
        if (p < k) {
            Work x_rest[Rows][2 * lanes] = {};
            Storage w_rest[Columns][2 * lanes] = {};
            for (int q = 0; p + q < k; ++q) {
                ((x_rest[Row][q] = x_rows[Row][p + q]), ...);
                ((w_rest[Column][q] = w_rows[Column][p + q]), ...);
            }
            vector line[Rows];
            (load<Work, Bytes>(line[Row], x_rest[Row]), ...);
            (step<Column, Bytes>(even, line, w_rest[Column], rows), ...);
            (load<Work, Bytes>(line[Row], x_rest[Row] + lanes), ...);
            (step<Column, Bytes>(odd, line, w_rest[Column] + lanes, rows), ...);
        }
        (finish<Column, Bytes>(even, odd, rows), ...);
    }

    template <int Column, int Bytes, int... Row>
    __attribute__((always_inline)) static inline void step(vector_t<Work, Bytes>* sum,
                                                           const vector_t<Work, Bytes>* line, const Storage* from,
                                                           std::integer_sequence<int, Row...>) {
        vector_t<Work, Bytes> weights;
        load<Work, Bytes>(weights, from);
        ((sum[Row * Columns + Column] += line[Row] * weights), ...);
    }

    template <int Column, int Bytes, int... Row>
    __attribute__((always_inline)) inline void finish(const vector_t<Work, Bytes>* even,
                                                      const vector_t<Work, Bytes>* odd,
                                                      std::integer_sequence<int, Row...>) const {
        ((y[Row * Columns + Column] =
              horizontal_sum<Work, Bytes>(even[Row * Columns + Column] + odd[Row * Columns + Column])),
         ...);
    }
};

} // namespace toroid::detail
