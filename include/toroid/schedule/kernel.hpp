#pragma once
// kernel descriptions: a loop nest, its memory accesses and its values, as plain data without buffer names.

#include <cstdint>

#include <toroid/core/dtype.hpp>
#include <toroid/ops/op.hpp>
#include <toroid/schedule/index_map.hpp>

namespace toroid {

/// What one kernel value is.
enum class value_kind : std::uint8_t {
    load,      ///< an element of an argument, at `access`
    constant,  ///< `payload`
    index,     ///< the number that `access` addresses: arange
    extent,    ///< dim number `access`
    compute,   ///< `code` on `operands`
    reduce     ///< `code` over the reduced ranges of `operands[0]`; arg reductions number elements by `access`
};

/// One value of a kernel body. Row values (`in_reduction` false) exist once per x index, the others once per (x, r).
/// `stage` counts the passes over the reduced ranges: a value of stage s needs the reductions of all passes before s.
struct kernel_value {
    value_kind kind = value_kind::compute;
    op code = op::identity;
    dtype type = dtype::f32;      ///< of the value
    dtype operand_type = dtype::f32; ///< of the operands, for casts and comparisons
    int operands[3] = {-1, -1, -1};
    std::int64_t payload = 0;
    int access = -1;
    int stage = 0;
    std::uint64_t passes = 0;     ///< bit s: pass s over the reduced ranges needs the value
    bool in_reduction = false;
    bool stashed = false;         ///< kept per row for later passes instead of being computed again

    friend constexpr bool operator==(const kernel_value&, const kernel_value&) = default;
};

/// An address: `offset + Σ strides[r] * index[r]` elements into argument `argument` (dim numbers of the definition).
struct kernel_access {
    int argument = -1;
    int offset = 0;
    int strides[max_ranges] = {};

    friend constexpr bool operator==(const kernel_access&, const kernel_access&) = default;
};

/// A value written to memory.
struct kernel_store {
    int value = -1;
    int access = -1;

    friend constexpr bool operator==(const kernel_store&, const kernel_store&) = default;
};

/// An argument of a kernel: a buffer that is read, or written, or both (in place).
struct kernel_argument {
    dtype type = dtype::f32;
    bool written = false;

    friend constexpr bool operator==(const kernel_argument&, const kernel_argument&) = default;
};

struct kernel_range {
    int extent = 1;         ///< dim number
    bool reduction = false; ///< named r0_, r1_, …; the others x, y, z, …

    friend constexpr bool operator==(const kernel_range&, const kernel_range&) = default;
};

/// First and last+1 element of a row in a table.
struct table_rows {
    int begin = 0;
    int end = 0;
    [[nodiscard]] constexpr int size() const { return end - begin; }
};

/// A kernel body by reference into the tables of a schedule. Ranges are in loop order, outermost first; x ranges come
/// before reduced ones. Operand, access, argument, range and dim numbers count from the body's own first row.
struct kernel_definition {
    table_rows values;
    table_rows accesses;
    table_rows stores;
    table_rows arguments;
    table_rows ranges;
    table_rows dims;
    int stages = 1;       ///< passes over the reduced ranges
    int lane_range = -1; ///< range that runs along vector lanes: the last x or the last reduced one; -1 without ranges
    std::uint64_t hash = 0;
};

} // namespace toroid
