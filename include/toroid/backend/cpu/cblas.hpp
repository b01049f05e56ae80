#pragma once
// The matmul of a BLAS library behind the interface of Toroid's own. Needs <cblas.h>; include it only where there is one.

#include <cblas.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include <toroid/backend/cpu/gemm.hpp>

namespace toroid {

namespace detail {

/// How CBLAS reads an operand: transposed or not, with which leading dimension. `valid` is false if it cannot.
struct cblas_operand {
    bool valid;
    CBLAS_TRANSPOSE transpose;
    int leading;
};

/// An operand of `rows` x `cols` elements with these strides. A stride along an extent of 1 does not matter.
constexpr cblas_operand cblas_operand_of(std::int64_t rows, std::int64_t cols, std::int64_t row_stride,
                                         std::int64_t col_stride) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    const auto leading = [](std::int64_t extent, std::int64_t stride, std::int64_t inner) {
        return extent == 1 ? inner : stride;
    };
    if (col_stride == 1 || cols == 1) {
        const std::int64_t by_rows = leading(rows, row_stride, cols);
        if (by_rows >= cols && by_rows <= most) return {true, CblasNoTrans, static_cast<int>(by_rows)};
    }
    if (row_stride == 1 || rows == 1) {
        const std::int64_t by_columns = leading(cols, col_stride, rows);
        if (by_columns >= rows && by_columns <= most) return {true, CblasTrans, static_cast<int>(by_columns)};
    }
    return {false, CblasNoTrans, 0};
}

} // namespace detail

/// f32 and f64 through `cblas_sgemm` and `cblas_dgemm`, which decide threads, order of sums and determinism.
/// What CBLAS cannot express (negative and zero strides, both strides above 1, extents above 2^31 - 1) and every other
/// dtype goes to `native_matmul`.
/// So do products of few rows: there our dot products were measured two to ten times as fast as OpenBLAS 0.3.21.
struct cblas_matmul {
    static constexpr std::int64_t native_rows = 16; ///< at most so many rows go to `native_matmul`

    template <dtype T> static void run(const gemm_arguments<T>& arguments) {
        if constexpr (T == dtype::f32 || T == dtype::f64) {
            if (arguments.m > native_rows && run_cblas(arguments)) return;
        }
        native_matmul::run(arguments);
    }

    /// Whether the BLAS library can express these arguments.
    template <dtype T> static bool accepts(const gemm_arguments<T>& x) {
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        if (T != dtype::f32 && T != dtype::f64) return false;
        if (x.m <= 0 || x.n <= 0 || x.k <= 0 || x.m > most || x.n > most || x.k > most) return false;
        const std::int64_t c_leading = x.m == 1 ? x.n : x.c_row_stride;
        return c_leading >= x.n && c_leading <= most &&
               detail::cblas_operand_of(x.m, x.k, x.a_row_stride, x.a_col_stride).valid &&
               detail::cblas_operand_of(x.k, x.n, x.b_row_stride, x.b_col_stride).valid;
    }

private:
    template <dtype T> static bool run_cblas(const gemm_arguments<T>& x) {
        if (!accepts(x)) return false;
        const detail::cblas_operand a = detail::cblas_operand_of(x.m, x.k, x.a_row_stride, x.a_col_stride);
        const detail::cblas_operand b = detail::cblas_operand_of(x.k, x.n, x.b_row_stride, x.b_col_stride);
        const int m = static_cast<int>(x.m), n = static_cast<int>(x.n), k = static_cast<int>(x.k);
        const int c_leading = x.m == 1 ? n : static_cast<int>(x.c_row_stride);
        if constexpr (T == dtype::f32)
            cblas_sgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1.0f, x.a, a.leading, x.b, b.leading, 0.0f,
                        x.c, c_leading);
        else
            cblas_dgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1.0, x.a, a.leading, x.b, b.leading, 0.0, x.c,
                        c_leading);
        return true;
    }
};

} // namespace toroid
