#pragma once
// A node of the graph, as a plain value.

#include <bit>
#include <cstdint>

#include <toroid/core/dim.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/core/fault.hpp>
#include <toroid/ops/op.hpp>

namespace toroid {

/// Extents by value. Unused places hold 0.
struct shape {
    int rank = 0;
    dim extents[max_rank] = {};

    constexpr dim operator[](int i) const { return extents[i]; }
    [[nodiscard]] constexpr dim numel() const {
        dim product = 1;
        for (int i = 0; i < rank; ++i) product = product * extents[i];
        return product;
    }
    friend constexpr bool operator==(const shape&, const shape&) = default;
};

/// Extents as indices into the graph's table of distinct dims, so that a node stays small.
struct shape_ids {
    int rank = 0;
    int extents[max_rank] = {};

    friend constexpr bool operator==(const shape_ids&, const shape_ids&) = default;
};

/// One operation. What `payload` holds depends on `code`:
/// input, parameter: its number; constant: the value (bits of a double, or an integer); iota: the axis; extent: none
/// (the dim is in `start`);
/// permute: source axes, four bits each; slice: axis | step << 8 (start in `start`); reductions and composites:
/// bit mask of axes; var: mask | correction << 8; concat: the axis.
struct node {
    op code = op::identity;
    dtype type = dtype::f32;
    int shape = -1;                    ///< index into graph::shapes
    int operands[3] = {-1, -1, -1};    ///< earlier nodes
    std::int64_t payload = 0;
    int start = -1;                    ///< slice: first index, extent: the value; an index into graph::dims
    int label = -1;                    ///< index into graph::labels

    friend constexpr bool operator==(const node&, const node&) = default;
};

/// An integer as the dtype holds it: two's complement, wrapped to its width; bool is 0 or 1.
constexpr std::int64_t wrapped_integer(dtype type, std::int64_t value) {
    switch (type) {
    case dtype::bool_: return value != 0;
    case dtype::u8: return static_cast<std::uint8_t>(value);
    case dtype::i8: return static_cast<std::int8_t>(value);
    case dtype::i16: return static_cast<std::int16_t>(value);
    case dtype::i32: return static_cast<std::int32_t>(value);
    default: return value;
    }
}

/// Value of a floating constant node.
constexpr double floating_constant(const node& n) { return std::bit_cast<double>(n.payload); }

//=== payload encodings ===//

constexpr int permutation_axis(std::int64_t payload, int axis) { return static_cast<int>(payload >> (4 * axis) & 15); }
constexpr int slice_axis(std::int64_t payload) { return static_cast<int>(payload & 0xff); }
constexpr std::int64_t slice_step(std::int64_t payload) { return payload >> 8; }
constexpr std::int64_t slice_payload(int axis, std::int64_t step) { return axis | step * 256; }
constexpr bool has_axis(std::int64_t payload, int axis) { return (payload >> axis & 1) != 0; }

/// A user's name for a node, a parameter or an output.
struct label {
    static constexpr int capacity = 64;
    char text[capacity] = {};

    friend constexpr bool operator==(const label&, const label&) = default;
};

/// Never defined: stops constant evaluation when a label has more than 63 characters.
[[noreturn]] inline void toroid_E031_label_is_longer_than_63_characters() {
    fault("toroid E031: label is longer than 63 characters");
}

constexpr label make_label(const char* text) {
    label result;
    int i = 0;
    for (; text[i] != 0; ++i) {
        if (i == label::capacity - 1) toroid_E031_label_is_longer_than_63_characters();
        result.text[i] = text[i];
    }
    return result;
}

} // namespace toroid
