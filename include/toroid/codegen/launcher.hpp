#pragma once
// launcher: how the index space of a body is cut into pieces of work, shared by every executing backend.

#include <toroid/codegen/body.hpp>

namespace toroid {

/// The shape of a loop nest, decided by the schedule.
enum class nest_kind : std::uint8_t {
    pointwise,   ///< no reduced range: lanes run along the last x range
    row,         ///< lanes run along the last reduced range; a row is one x index
    column       ///< lanes run along the last x range; each lane reduces its own column
};

template <class Body> TOROID_HOST_DEVICE constexpr nest_kind nest_of() {
    int reduced = 0;
    for (int r = 0; r < Body::ranges.size; ++r) reduced += Body::ranges.rows[r].reduction ? 1 : 0;
    if (reduced == 0) return nest_kind::pointwise;
    constexpr int lane = Body::definition.lane_range;
    if (lane < 0) return nest_kind::row;
    return Body::ranges.rows[lane < 0 ? 0 : lane].reduction ? nest_kind::row : nest_kind::column;
}

/// Number of x ranges; they come first.
template <class Body> TOROID_HOST_DEVICE constexpr int kept_ranges() {
    int count = 0;
    for (int r = 0; r < Body::ranges.size; ++r) count += Body::ranges.rows[r].reduction ? 0 : 1;
    return count;
}

/// True for a pointwise body that reads or writes something contiguous along another range than the lanes: a transpose.
/// Its pieces are narrow and follow each other along the range before the lanes, so that cache lines are used whole.
template <class Body> TOROID_HOST_DEVICE constexpr bool is_crosswise() {
    if (nest_of<Body>() != nest_kind::pointwise || Body::ranges.size < 2) return false;
    constexpr int lane = Body::definition.lane_range;
    for (const auto& access : Body::accesses.rows) {
        if (access.argument < 0) continue;
        for (int r = 0; r < Body::ranges.size; ++r)
            if (r != lane && Body::dims.rows[access.strides[r]].is(1) && !Body::dims.rows[access.strides[lane]].is(0))
                return true;
    }
    return false;
}

/// Pieces of a launch: `outer` indices of the x ranges outside the lanes, each cut into `blocks` of `block` lanes;
/// `per_chunk` consecutive pieces make a chunk, the unit that a thread takes.
struct launch_grid {
    std::int64_t outer = 0;
    std::int64_t lanes = 0;
    std::int64_t block = 0;
    std::int64_t blocks = 0;
    std::int64_t per_chunk = 1;
    std::int64_t chunks = 0;
    std::int64_t elements = 0; ///< points of the whole index space
};

/// How finely a backend cuts: lanes of one block, and the points that a chunk should have at least.
struct launch_config {
    std::int64_t pointwise_block = 16384;
    std::int64_t column_block = 64;
    std::int64_t crosswise_block = 16; ///< a cache line of f32
    std::int64_t chunk_elements = 32768;
};

/// Owns the grid of a body for a config. Constant when the extents are.
template <launch_config Config> struct launcher {
    template <class Body> static constexpr launch_grid grid(const body_dims<Body>& dims) {
        constexpr nest_kind kind = nest_of<Body>();
        constexpr int kept = kept_ranges<Body>();
        launch_grid g;
        g.outer = 1;
        std::int64_t reduced = 1;
        [&]<int... R>(std::integer_sequence<int, R...>) {
            [[maybe_unused]] const auto visit = [&]<int Range>(std::integral_constant<int, Range>) {
                const std::int64_t extent = dims.template extent<Range>();
                if constexpr (Body::ranges[Range].reduction) reduced *= extent;
                else if constexpr (kind != nest_kind::row && Range == kept - 1) g.lanes = extent;
                else g.outer *= extent;
            };
            (visit(std::integral_constant<int, R>{}), ...);
        }(std::make_integer_sequence<int, Body::ranges.size>{});
        if (kind == nest_kind::row || kept == 0) g.lanes = 1;
        g.block = kind == nest_kind::pointwise ? Config.pointwise_block
                  : kind == nest_kind::column  ? Config.column_block
                                               : 1;
        if (is_crosswise<Body>()) g.block = Config.crosswise_block;
        g.blocks = (g.lanes + g.block - 1) / g.block;
        g.elements = g.outer * g.lanes * reduced;
        const std::int64_t pieces = g.outer * g.blocks;
        const std::int64_t per_piece = pieces > 0 ? g.elements / pieces : 0;
        g.per_chunk = per_piece > 0 && per_piece < Config.chunk_elements ? Config.chunk_elements / per_piece : 1;
        g.chunks = (pieces + g.per_chunk - 1) / g.per_chunk;
        return g;
    }
};

/// Blocks and threads of a launch on a device; zeros on the CPU.
struct device_grid {
    unsigned blocks = 0;
    unsigned threads = 0; ///< of a block
    unsigned cluster = 0; ///< blocks of a cluster
};

/// What a hook sees of a launch, on every backend.
struct launch_info {
    const char* kernel = "";
    launch_grid grid;
    void* const* arguments = nullptr;
    int argument_count = 0;
    device_grid device = {};
};

/// Called around every launch when set; costs one comparison when not.
struct launch_hooks {
    void (*enter)(void* context, const launch_info& launch) = nullptr;
    void (*exit)(void* context, const launch_info& launch) = nullptr;
    void* context = nullptr;
};

} // namespace toroid
