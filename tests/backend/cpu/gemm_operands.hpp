#pragma once
// Operands in every layout and the triple loop that matmul tests compare with.

#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <type_traits>
#include <vector>

#include <toroid/backend/cpu/gemm.hpp>

namespace toroid_test {

using namespace toroid;

struct shape {
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
};

enum class layout {
    rows,
    columns,
    padded_rows,
    padded_columns,
    every_second,
    reversed_rows,
    reversed_columns,
    one_row_broadcast,
    one_column_broadcast
};

inline constexpr layout every_layout[] = {layout::rows,
                                          layout::columns,
                                          layout::padded_rows,
                                          layout::padded_columns,
                                          layout::every_second,
                                          layout::reversed_rows,
                                          layout::reversed_columns,
                                          layout::one_row_broadcast,
                                          layout::one_column_broadcast};

inline layout random_layout(std::mt19937& random) { return every_layout[random() % std::size(every_layout)]; }

/// Extents from 0 to `most`, small ones and multiples of 8 (with their neighbours) more often.
inline shape random_shape(std::mt19937& random, std::int64_t most) {
    const auto extent = [&]() -> std::int64_t {
        switch (random() % 3) {
        case 0: return random() % 9;
        case 1: return std::int64_t{8} * (1 + random() % (most / 8)) + random() % 3 - 1;
        default: return random() % (most + 1);
        }
    };
    const std::int64_t m = extent(), n = extent(), k = extent();
    return {m, n, k};
}

/// Small integers for floating types, so that every sum is exact; the whole range for integer types, so that sums wrap.
template <dtype T> storage_t<T> random_value(std::mt19937& random) {
    if constexpr (is_floating(T))
        return static_cast<storage_t<T>>(static_cast<compute_t<T>>(static_cast<int>(random() % 33) - 16));
    else return static_cast<storage_t<T>>(std::uint64_t{random()} << 32 | random());
}

template <dtype T> struct operand {
    std::vector<storage_t<T>> data;
    std::int64_t first = 0;
    std::int64_t row_stride = 0;
    std::int64_t col_stride = 0;

    operand(std::mt19937& random, std::int64_t rows, std::int64_t cols, layout kind) {
        switch (kind) {
        case layout::rows: row_stride = cols, col_stride = 1; break;
        case layout::columns: row_stride = 1, col_stride = rows; break;
        case layout::padded_rows: row_stride = cols + 3, col_stride = 1; break;
        case layout::padded_columns: row_stride = 1, col_stride = rows + 5; break;
        case layout::every_second: row_stride = 2 * cols + 1, col_stride = 2; break;
        case layout::reversed_rows: row_stride = -cols, col_stride = 1; break;
        case layout::reversed_columns: row_stride = cols, col_stride = -1; break;
        case layout::one_row_broadcast: row_stride = 0, col_stride = 1; break;
        case layout::one_column_broadcast: row_stride = 1, col_stride = 0; break;
        }
        std::int64_t low = 0, high = 0;
        for (const std::int64_t reach : {(rows - 1) * row_stride, (cols - 1) * col_stride})
            if (rows > 0 && cols > 0) (reach < 0 ? low : high) += reach;
        first = -low;
        // Exactly what the view reaches, so that a sanitizer sees a read outside of it.
        data.resize(static_cast<std::size_t>(rows > 0 && cols > 0 ? high - low + 1 : 0));
        data.shrink_to_fit();
        for (storage_t<T>& x : data) x = random_value<T>(random);
    }
};

template <dtype T> struct result {
    static constexpr std::int64_t padding = 3;
    std::int64_t rows;
    std::int64_t cols;
    std::vector<storage_t<T>> data;

    result(std::int64_t rows_, std::int64_t cols_)
        : rows(rows_), cols(cols_), data(static_cast<std::size_t>(rows_ * (cols_ + padding))) {
        for (storage_t<T>& x : data) std::memset(static_cast<void*>(&x), 0x5a, sizeof x);
    }

    [[nodiscard]] std::int64_t row_stride() const { return cols + padding; }
    [[nodiscard]] storage_t<T> at(std::int64_t i, std::int64_t j) const {
        return data[static_cast<std::size_t>(i * row_stride() + j)];
    }

    /// Elements whose bits differ from `expected(i, j)`, and padding that was written.
    template <class Expected> int mismatches(Expected expected) const {
        storage_t<T> canary;
        std::memset(static_cast<void*>(&canary), 0x5a, sizeof canary);
        int count = 0;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < row_stride(); ++j) {
                const storage_t<T> want = j < cols ? expected(i, j) : canary, got = at(i, j);
                count += std::memcmp(&want, &got, sizeof want) != 0;
            }
        return count;
    }
};

template <dtype T> gemm_arguments<T> arguments_of(shape s, const operand<T>& a, const operand<T>& b, result<T>& c) {
    return {s.m,
            s.n,
            s.k,
            a.data.data() + a.first,
            a.row_stride,
            a.col_stride,
            b.data.data() + b.first,
            b.row_stride,
            b.col_stride,
            c.data.data(),
            c.row_stride()};
}

/// One element by a plain loop: in double, or modulo 2^64 for integers, then rounded or wrapped once.
template <dtype T> storage_t<T> exact_element(const gemm_arguments<T>& x, std::int64_t i, std::int64_t j) {
    using sum_type = std::conditional_t<is_floating(T), double, std::uint64_t>;
    sum_type sum = 0;
    for (std::int64_t p = 0; p < x.k; ++p) {
        const auto a = static_cast<compute_t<T>>(x.a[i * x.a_row_stride + p * x.a_col_stride]);
        const auto b = static_cast<compute_t<T>>(x.b[p * x.b_row_stride + j * x.b_col_stride]);
        sum += static_cast<sum_type>(a) * static_cast<sum_type>(b);
    }
    return static_cast<storage_t<T>>(static_cast<compute_t<T>>(sum));
}

/// A dtype as a type, for doctest's templates.
template <dtype T> struct type {
    static constexpr dtype value = T;
};

inline std::vector<isa> available_isas() {
    std::vector<isa> result;
    for (int i = 0; i <= static_cast<int>(detected_isa()); ++i) result.push_back(static_cast<isa>(i));
    return result;
}

/// Runs one product on exactly representable values and compares every bit, and C's padding, with the triple loop.
template <dtype T>
int mismatches(std::mt19937& random, shape s, layout a_layout, layout b_layout, isa level, thread_pool& pool) {
    const operand<T> a(random, s.m, s.k, a_layout), b(random, s.k, s.n, b_layout);
    result<T> actual(s.m, s.n);
    const gemm_arguments<T> arguments = arguments_of(s, a, b, actual);
    gemm(arguments, level, pool);
    return actual.mismatches([&](std::int64_t i, std::int64_t j) { return exact_element<T>(arguments, i, j); });
}

} // namespace toroid_test
