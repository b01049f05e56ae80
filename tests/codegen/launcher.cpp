// The grid of a launch: which loop nest a body is, how it is cut, and that the pieces cover it exactly.

#include <cstdint>

#include <doctest/doctest.h>

#include <toroid/codegen/launcher.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

template <class Model, int D = 0> using body = kernel_body<program<Model>, D>;
template <class Model, launch_config Config = launch_config{}>
constexpr launch_grid grid(const symbol_values& symbols) {
    return launcher<Config>::template grid<body<Model>>(body_dims<body<Model>>(symbols));
}

//=== nests ===//

struct columns {
    constexpr auto operator()(tensor<f32, B, S> x) const { return sum<0>(x); }
};
struct everything {
    constexpr auto operator()(tensor<f32, B, S> x) const { return sum(x); }
};
struct single_element {
    constexpr auto operator()(tensor<f32> x) const { return x + 1; }
};
static_assert(nest_of<body<residual_chain>>() == nest_kind::pointwise);
static_assert(nest_of<body<softmax_rows>>() == nest_kind::row);
static_assert(nest_of<body<columns>>() == nest_kind::column);
static_assert(nest_of<body<everything>>() == nest_kind::row);
static_assert(nest_of<body<single_element>>() == nest_kind::pointwise);
static_assert(kept_ranges<body<softmax_rows>>() == 1 && kept_ranges<body<columns>>() == 1 &&
              kept_ranges<body<everything>>() == 0);
static_assert(kept_ranges<body<single_element>>() == 0);
static_assert(body<residual_chain>::ranges.size == 1, "contiguous axes are one range");
static_assert(body<transpose_add>::ranges.size == 2);

//=== grids ===//

// Pointwise: lanes in blocks, one outer index.
static_assert(grid<residual_chain>({{'B', 1000}}).lanes == 64000 && grid<residual_chain>({{'B', 1000}}).outer == 1);
static_assert(grid<residual_chain>({{'B', 1000}}).block == 16384 && grid<residual_chain>({{'B', 1000}}).blocks == 4);
static_assert(grid<residual_chain>({{'B', 1000}}).per_chunk == 2 && grid<residual_chain>({{'B', 1000}}).chunks == 2);
static_assert(grid<residual_chain>({{'B', 1}}).chunks == 1, "small work is one chunk, run by the caller");
// Rows: one piece each.
static_assert(grid<softmax_rows>({{'B', 1000}}).outer == 1000 && grid<softmax_rows>({{'B', 1000}}).lanes == 1);
static_assert(grid<softmax_rows>({{'B', 1000}}).elements == 64000 &&
              grid<softmax_rows>({{'B', 1000}}).per_chunk == 512);
static_assert(grid<softmax_rows>({{'B', 1000}}).chunks == 2);
// Columns: blocks of 64.
static_assert(grid<columns>({{'B', 10}, {'S', 130}}).lanes == 130 &&
              grid<columns>({{'B', 10}, {'S', 130}}).blocks == 3);
static_assert(grid<everything>({{'B', 10}, {'S', 130}}).outer == 1 &&
              grid<everything>({{'B', 10}, {'S', 130}}).elements == 1300);
// Rank 0 is one piece; nothing is none.
static_assert(grid<single_element>({}).chunks == 1 && grid<single_element>({}).elements == 1);
static_assert(grid<residual_chain>({{'B', 0}}).chunks == 0 && grid<residual_chain>({{'B', 0}}).elements == 0);
static_assert(grid<softmax_rows>({{'B', 0}}).chunks == 0);
static_assert(grid<columns>({{'B', 0}, {'S', 5}}).chunks == 1, "a sum over nothing is written all the same");

//=== cover ===//

/// Every piece in exactly one chunk, every lane in exactly one block.
constexpr bool covers(const launch_grid& g) {
    const std::int64_t pieces = g.outer * g.blocks;
    if (g.elements == 0 && g.outer * g.lanes == 0) return g.chunks == 0;
    return g.per_chunk >= 1 && (g.chunks - 1) * g.per_chunk < pieces && g.chunks * g.per_chunk >= pieces &&
           (g.blocks - 1) * g.block < g.lanes && g.blocks * g.block >= g.lanes;
}
TEST_CASE("pieces cover every size and config exactly") {
    for (const std::int64_t b : {0, 1, 2, 3, 63, 64, 65, 511, 512, 513, 4096})
        for (const std::int64_t s : {0, 1, 5, 64, 1000, 40000}) {
            CAPTURE(b);
            CAPTURE(s);
            const symbol_values symbols = {{'B', b}, {'S', s}};
            CHECK(covers(grid<residual_chain>(symbols)));
            CHECK(covers(grid<softmax_rows>(symbols)));
            CHECK(covers(grid<columns>(symbols)));
            CHECK(covers(grid<transpose_add>(symbols)));
            CHECK(covers(
                grid<columns, launch_config{.pointwise_block = 7, .column_block = 3, .chunk_elements = 10}>(symbols)));
        }
}

// The grid is a constant where the extents are.
struct static_rows {
    constexpr auto operator()(tensor<f32, 1024, 64> x) const { return softmax(x); }
};
constexpr launch_grid constant_grid = grid<static_rows>({});
static_assert(constant_grid.outer == 1024 && constant_grid.chunks == 2);

} // namespace
} // namespace toroid::tests
