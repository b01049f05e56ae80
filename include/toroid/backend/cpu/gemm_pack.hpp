#pragma once
// Packing of the CPU matmul's operands into compact blocks, and the buffer that holds them.

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>

#include <toroid/backend/cpu/gemm_kernel.hpp>
#include <toroid/core/error.hpp>

namespace toroid::detail {

//=== workspace ===//

/// A buffer that only grows, aligned to 64 bytes. One per thread, freed when the thread ends.
class growing_buffer {
public:
    growing_buffer() = default;
    growing_buffer(const growing_buffer&) = delete;
    growing_buffer& operator=(const growing_buffer&) = delete;
    ~growing_buffer() { release(); }

    /// At least `bytes` bytes of unspecified content, valid until the next call.
    std::byte* at_least(std::size_t bytes) {
        if (bytes > size_) {
            release();
            data_ = static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
            if (data_ == nullptr)
                throw error(error_code::out_of_memory,
                            "matmul needs " + std::to_string(bytes) + " bytes of packing space: the allocation failed");
            size_ = bytes;
        }
        return data_;
    }

private:
    static constexpr std::align_val_t alignment{64};

    void release() noexcept {
        ::operator delete(data_, alignment);
        data_ = nullptr;
        size_ = 0;
    }

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

inline growing_buffer& packing_buffer() {
    static thread_local growing_buffer buffer;
    return buffer;
}

/// Vectors of a matmul's operand `x` that the dot products read: apart from `packing_buffer`, which regions use.
inline growing_buffer& operand_buffer() {
    static thread_local growing_buffer buffer;
    return buffer;
}

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

//=== lines ===//

/// to[i] = from[i * stride] for i < count, widened to `Work`.
template <isa I, class Work, class Storage>
__attribute__((always_inline)) inline void copy_line(Work* to, const Storage* from, std::int64_t stride,
                                                     std::int64_t count) {
    constexpr int bytes = vector_bytes(I);
    constexpr int lanes = bytes / static_cast<int>(sizeof(Work));
    std::int64_t i = 0;
    if (stride == 1)
        for (; i + lanes <= count; i += lanes) {
            vector_t<Work, bytes> line;
            load<Work, bytes>(line, from + i);
            store<Work, bytes>(to + i, line);
        }
    for (; i < count; ++i) to[i] = static_cast<Work>(from[i * stride]);
}

/// to[p * to_stride + j] = from[j * from_stride + p] for a square of 16 bytes: 4 x 4 or 2 x 2 elements.
template <class Work, class Storage>
__attribute__((always_inline)) inline void transpose_square(Work* to, std::int64_t to_stride, const Storage* from,
                                                            std::int64_t from_stride) {
    using vector = vector_t<Work, 16>;
    if constexpr (sizeof(Work) == 4) {
        vector a, b, c, d;
        load<Work, 16>(a, from);
        load<Work, 16>(b, from + from_stride);
        load<Work, 16>(c, from + 2 * from_stride);
        load<Work, 16>(d, from + 3 * from_stride);
        const vector ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        const vector ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        const vector cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
        const vector cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
        store<Work, 16>(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
        store<Work, 16>(to + to_stride, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
        store<Work, 16>(to + 2 * to_stride, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
        store<Work, 16>(to + 3 * to_stride, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
    } else {
        static_assert(sizeof(Work) == 8);
        vector a, b;
        load<Work, 16>(a, from);
        load<Work, 16>(b, from + from_stride);
        store<Work, 16>(to, __builtin_shufflevector(a, b, 0, 2));
        store<Work, 16>(to + to_stride, __builtin_shufflevector(a, b, 1, 3));
    }
}

//=== operands ===//

/// A strided view of an operand: element (i, j) is data[i * row_stride + j * col_stride].
template <class Storage> struct matrix_view {
    const Storage* data;
    std::int64_t row_stride;
    std::int64_t col_stride;

    [[nodiscard]] matrix_view at(std::int64_t row, std::int64_t col) const {
        return {data + row * row_stride + col * col_stride, row_stride, col_stride};
    }
    [[nodiscard]] matrix_view transposed() const { return {data, col_stride, row_stride}; }
};

/// Copies a block of A in its own order, rows or columns contiguous, so that it costs no transposition: the tile reads A
/// by strides. The leading dimension is an odd number of cache lines, which spreads the rows over the cache's sets.
template <isa I, class Work, class Storage>
__attribute__((always_inline)) inline matrix_view<Work> pack_a(Work* to, matrix_view<Storage> a, std::int64_t rows,
                                                               std::int64_t depth) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(Work));
    const bool by_columns = a.row_stride == 1 && a.col_stride != 1;
    const std::int64_t outer = by_columns ? depth : rows;
    const std::int64_t inner = by_columns ? rows : depth;
    const std::int64_t stride = (round_up(inner, line) / line | 1) * line;
    for (std::int64_t i = 0; i < outer; ++i)
        copy_line<I>(to + i * stride, a.data + i * (by_columns ? a.col_stride : a.row_stride),
                     by_columns ? a.row_stride : a.col_stride, inner);
    return by_columns ? matrix_view<Work>{to, 1, stride} : matrix_view<Work>{to, stride, 1};
}

template <class Work> constexpr std::int64_t packed_a_elements(std::int64_t rows, std::int64_t depth) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(Work));
    return rows * depth + 2 * line * (rows > depth ? rows : depth);
}

/// Copies one panel of B: depth rows of `width` elements, of which the first `columns` come from B and the rest are 0.
template <isa I, class Work, class Storage>
__attribute__((always_inline)) inline void pack_panel(Work* to, matrix_view<Storage> b, std::int64_t depth, int columns,
                                                      int width) {
    std::int64_t j = 0;
    if (b.row_stride == 1 && b.col_stride != 1) {
        if constexpr (sizeof(Work) >= 4) {
            constexpr int square = 16 / static_cast<int>(sizeof(Work));
            for (; j + square <= columns; j += square) {
                std::int64_t p = 0;
                for (; p + square <= depth; p += square)
                    transpose_square(to + p * width + j, width, b.data + j * b.col_stride + p, b.col_stride);
                for (; p < depth; ++p)
                    for (int i = 0; i < square; ++i)
                        to[p * width + j + i] = static_cast<Work>(b.data[(j + i) * b.col_stride + p]);
            }
        }
        for (; j < columns; ++j)
            for (std::int64_t p = 0; p < depth; ++p)
                to[p * width + j] = static_cast<Work>(b.data[j * b.col_stride + p]);
    } else {
        for (std::int64_t p = 0; p < depth; ++p)
            copy_line<I>(to + p * width, b.data + p * b.row_stride, b.col_stride, columns);
    }
    if (columns < width)
        for (std::int64_t p = 0; p < depth; ++p)
            for (int i = columns; i < width; ++i) to[p * width + i] = Work{};
}

} // namespace toroid::detail
