#pragma once
// matmul_shape: the extents and strides of a matrix product, and which of them cuBLAS can express without a copy.

#include <cstdint>

#include <toroid/backend/cuda/abi.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// How an operand lies in memory, in elements; negative and zero strides are allowed.
struct matmul_operand {
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 1;
    std::int64_t batch_stride = 0;

    friend constexpr bool operator==(const matmul_operand&, const matmul_operand&) = default;
};

/// out[batch, m, n] = lhs[batch, m, k] * rhs[batch, k, n]. `out` is contiguous.
struct matmul_shape {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t batch = 1;
    matmul_operand lhs;
    matmul_operand rhs;

    friend constexpr bool operator==(const matmul_shape&, const matmul_shape&) = default;
};

/// A matrix as a BLAS wants it: the rows, or the columns if `transposed`, are contiguous and `leading` elements apart.
struct matmul_layout {
    bool transposed = false;
    std::int64_t leading = 0; ///< 0: the strides cannot be said this way

    friend constexpr bool operator==(const matmul_layout&, const matmul_layout&) = default;
};

/// Layout of a [rows, columns] operand. The stride of an extent of one says nothing, so a vector always has a layout.
constexpr matmul_layout layout_of(const matmul_operand& operand, std::int64_t rows, std::int64_t columns) {
    const auto leading = [](std::int64_t inner, std::int64_t inner_stride, std::int64_t outer,
                            std::int64_t outer_stride) -> std::int64_t {
        if (inner != 1 && inner_stride != 1) return 0;
        if (outer == 1) return inner;
        return outer_stride >= inner ? outer_stride : 0;
    };
    const std::int64_t plain = leading(columns, operand.column_stride, rows, operand.row_stride);
    const std::int64_t transposed = leading(rows, operand.row_stride, columns, operand.column_stride);
    // Both are possible for a vector: it should be one long row rather than many short ones.
    return transposed != 0 && (plain == 0 || rows > 1) ? matmul_layout{true, transposed} : matmul_layout{false, plain};
}

/// The same product as out^T = rhs^T * lhs^T; the memory of `out` means the same only if m or n is 1.
constexpr matmul_shape transposed(const matmul_shape& s) {
    return {s.n,
            s.m,
            s.k,
            s.batch,
            {s.rhs.column_stride, s.rhs.row_stride, s.rhs.batch_stride},
            {s.lhs.column_stride, s.lhs.row_stride, s.lhs.batch_stride}};
}

/// Both operands have a layout, and every extent fits the 32 bits that cuBLAS takes. `s` has no extent of zero.
constexpr bool fits_cublas(const matmul_shape& s) {
    constexpr std::int64_t most = INT32_MAX;
    if (s.m > most || s.n > most || s.k > most || s.batch > most) return false;
    if (s.batch > 1 && (s.lhs.batch_stride < 0 || s.rhs.batch_stride < 0)) return false;
    return layout_of(s.lhs, s.m, s.k).leading != 0 && layout_of(s.rhs, s.k, s.n).leading != 0;
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
