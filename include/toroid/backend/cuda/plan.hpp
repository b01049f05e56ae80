#pragma once
// plan: how a kernel body is spread over threads, decided at compile time: family, vector width, threads of a row,
// blocks of a cluster, index width.

#include <cstdint>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/codegen/body_facts.hpp>
#include <toroid/wrapper/program.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// How threads walk the index space of a body.
enum class kernel_family : std::uint8_t {
    pointwise, ///< a thread takes vectors along the lanes
    tile,      ///< 2-D tiles; what is contiguous across the lanes goes through shared memory
    row,       ///< a team of threads keeps one row in registers: part of a warp, a block, or a cluster of blocks
    row_loop,  ///< blocks walk over a row as often as it has passes; several blocks share a long row
    column     ///< lanes reduce columns of their own; rows are split over the threads and blocks of a column
};

/// Everything about a launch that is known at compile time.
struct kernel_plan {
    kernel_family family = kernel_family::pointwise;
    int vector = 1;     ///< neighbouring elements that a thread takes at once
    bool tail = false;  ///< the last vector of the lanes may be partial
    int items = 1;      ///< vectors of a thread that are in flight together; in a row, all that it has
    int threads = 256;  ///< of a block
    int team = 1;       ///< threads of a block that share a row, or a column group
    int cluster = 1;    ///< blocks that share a row
    bool full = false;  ///< row: every thread has all its vectors
    bool ahead = false; ///< row: a cluster takes row after row, and loads the next while it computes one
    bool wide = false;  ///< addresses need 64 bits

    friend constexpr bool operator==(const kernel_plan&, const kernel_plan&) = default;
};

namespace detail {

inline constexpr std::int64_t unbounded = INT64_MAX;

TOROID_HOST_DEVICE constexpr std::int64_t power_of_two_from(std::int64_t n) {
    std::int64_t power = 1;
    while (power < n) power *= 2;
    return power;
}
TOROID_HOST_DEVICE constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Largest value of a dim under the bounds that the model's checks give; `unbounded` where they do not.
template <class P> constexpr std::int64_t largest(const dim& d) {
    if (d.is_constant()) return d.constant();
    const std::int64_t most = upper_bound(d, P::symbol_maxima());
    return most < 0 ? unbounded : most;
}

/// Compile-time questions about body `D` of program `P`.
template <class P, int D> struct body_shape {
    using body = kernel_body<P, D>;
    static constexpr int lane = body::definition.lane_range;
    static constexpr int kept = kept_ranges<body>();
    static constexpr nest_kind nest = nest_of<body>();

    TOROID_HOST_DEVICE static constexpr const dim& stride(int access, int range) {
        return body::dims.rows[body::accesses.rows[access].strides[range]];
    }
    TOROID_HOST_DEVICE static constexpr const dim& extent(int range) {
        return body::dims.rows[body::ranges.rows[range].extent];
    }

    /// Product of the extents of some ranges, or `unbounded`.
    static constexpr std::int64_t elements(int begin, int end) {
        std::int64_t product = 1;
        for (int r = begin; r < end; ++r) {
            const std::int64_t most = largest<P>(extent(r));
            if (most == unbounded || (most != 0 && product > (std::int64_t{1} << 62) / most)) return unbounded;
            product *= most;
        }
        return product;
    }
    static constexpr bool is_constant(int begin, int end) {
        for (int r = begin; r < end; ++r)
            if (!extent(r).is_constant()) return false;
        return true;
    }

    /// Some element lies 2^31 or more elements from the start of its argument, or the index space is that large.
    static constexpr bool is_wide() {
        constexpr std::int64_t limit = std::int64_t{1} << 31;
        bool wide = elements(0, body::ranges.size) >= limit;
        for (int a = 0; a < body::accesses.size; ++a) wide = wide || last_offset(a) >= limit;
        return wide;
    }
    /// An upper bound of the largest element number of an access, or `unbounded`.
    static constexpr std::int64_t last_offset(int access) {
        std::int64_t last = largest<P>(body::dims.rows[body::accesses.rows[access].offset]);
        for (int r = 0; r < body::ranges.size; ++r) {
            const std::int64_t most = largest<P>(extent(r));
            const dim& d = stride(access, r);
            const std::int64_t step = d.is_constant() && d.constant() < 0 ? -d.constant() : largest<P>(d);
            if (last == unbounded || most == unbounded || step == unbounded) return unbounded;
            if (most <= 1 || step == 0) continue;
            if (most - 1 > (unbounded - 1 - last) / step) return unbounded;
            last += (most - 1) * step;
        }
        return last;
    }

    /// The access is made once per element and moves along the lanes in steps of one.
    TOROID_HOST_DEVICE static constexpr bool runs_along_lanes(int access) {
        if (lane < 0 || body::accesses.rows[access].argument < 0 || !stride(access, lane).is(1)) return false;
        return nest != nest_kind::row || moves_in_reduction<body>(access);
    }
    TOROID_HOST_DEVICE static constexpr int bytes_of(int access) {
        return size_of(body::arguments.rows[body::accesses.rows[access].argument].type);
    }
    /// Vectors of `width` elements along the lanes begin at multiples of `width`, everywhere.
    TOROID_HOST_DEVICE static constexpr bool is_aligned(int access, int width) {
        if (!statically_known_multiple_of(body::dims.rows[body::accesses.rows[access].offset], width)) return false;
        for (int r = 0; r < body::ranges.size; ++r)
            if (r != lane && !statically_known_multiple_of(stride(access, r), width)) return false;
        return true;
    }
    TOROID_HOST_DEVICE static constexpr bool lanes_divide(int width) {
        return lane < 0 || statically_known_multiple_of(extent(lane), width);
    }

    /// Widest vector that every access along the lanes allows; 16 bytes of the narrowest, at most 32 of the widest.
    static constexpr int vector_width() {
        int narrowest = 0;
        int widest = 0;
        for (int a = 0; a < body::accesses.size; ++a) {
            if (!runs_along_lanes(a)) continue;
            const int bytes = bytes_of(a);
            narrowest = narrowest == 0 || bytes < narrowest ? bytes : narrowest;
            widest = bytes > widest ? bytes : widest;
        }
        if (narrowest == 0) return 1;
        int width = 16 / narrowest;
        while (width > 1 && width * widest > 32) width /= 2;
        const bool one_lane_range = nest != nest_kind::row || body::ranges.size - kept == 1;
        for (; width > 1; width /= 2) {
            if (!one_lane_range && !lanes_divide(width)) continue;
            if (extent(lane).is_constant() && extent(lane).constant() < width) continue;
            bool aligned = true;
            for (int a = 0; a < body::accesses.size; ++a)
                aligned = aligned && (!runs_along_lanes(a) || is_aligned(a, width));
            if (aligned) return width;
        }
        return 1;
    }

    /// A loaded value that does not depend on the row: a weight.
    TOROID_HOST_DEVICE static constexpr bool is_fixed(int value) {
        const kernel_value& v = body::values.rows[value];
        if (v.kind != value_kind::load || !v.in_reduction) return false;
        for (int r = 0; r < kept; ++r)
            if (!stride(v.access, r).is(0)) return false;
        return true;
    }
    /// Bytes of registers that one element of a row occupies: loads, and what later passes need again.
    static constexpr int bytes_kept() {
        int bytes = 0;
        for (int i = 0; i < body::values.size; ++i) {
            const kernel_value& v = body::values.rows[i];
            if (!v.in_reduction) continue;
            if (v.kind == value_kind::load && runs_along_lanes(v.access)) bytes += size_of(v.type);
            if (v.stashed) bytes += size_of(v.type) < 4 ? 4 : size_of(v.type);
        }
        return bytes;
    }
    static constexpr int load_count() {
        int count = 0;
        for (const kernel_value& v : body::values.rows)
            count += v.kind == value_kind::load && runs_along_lanes(v.access) ? 1 : 0;
        return count;
    }
    static constexpr int reduction_count() {
        int count = 0;
        for (const kernel_value& v : body::values.rows) count += v.kind == value_kind::reduce ? 1 : 0;
        return count;
    }
};

/// Bytes of registers that the elements of a row may take of one thread.
inline constexpr std::int64_t row_bytes_per_thread = 384;
/// Threads of a block that has a row, or a part of one, to itself: several blocks of a multiprocessor overlap each other's
/// loads, sums and stores.
inline constexpr std::int64_t row_block_threads = 256;

template <class P, int D> constexpr kernel_plan plan_row() {
    using shape = body_shape<P, D>;
    kernel_plan plan;
    plan.vector = shape::vector_width();
    plan.tail = !shape::lanes_divide(plan.vector);
    const std::int64_t row = shape::elements(shape::kept, shape::body::ranges.size);
    const std::int64_t bytes = shape::bytes_kept() > 0 ? shape::bytes_kept() : 1;
    const int most_blocks = P::target::architecture >= 90 && shape::reduction_count() <= 4 ? 16 : 1;
    const std::int64_t rows = shape::elements(0, shape::kept);
    // A row that few blocks would walk is spread over the device instead: only when there are too few rows to fill it.
    const std::int64_t most_threads = std::int64_t{512} * most_blocks;
    const bool fits = row > 0 && row <= most_threads * 64 && row <= most_threads * row_bytes_per_thread / bytes;
    const bool lonely = rows < 32 && row > 32768;
    if (!fits || lonely) {
        plan.family = kernel_family::row_loop;
        plan.threads = plan.team = row != unbounded && row <= 1024 ? 128 : 512;
        plan.items = shape::load_count() <= 1 ? 8 : shape::load_count() <= 3 ? 4 : 2;
        return plan;
    }
    plan.family = kernel_family::row;
    const std::int64_t vectors = divide_up(row, plan.vector);
    // A team reads at least 128 neighbouring bytes of a row at a time, where the row has them.
    const std::int64_t least = power_of_two_from(vectors < 8 ? vectors : 8);
    const auto team_of = [&](std::int64_t elements) {
        std::int64_t most = elements / plan.vector;
        while (most > 1 && most * plan.vector * bytes > row_bytes_per_thread) most /= 2;
        std::int64_t threads = least;
        while (threads * (most > 0 ? most : 1) < vectors) threads *= 2;
        return threads;
    };
    // Elements of one thread: measured best at 32, with little to keep at 64. Longer rows take more threads, then more
    // blocks, then more elements.
    std::int64_t team = team_of(64 * bytes <= row_bytes_per_thread / 2 ? 64 : 32);
    if (team > row_block_threads * most_blocks) team = team_of(64);
    if (team > row_block_threads) {
        std::int64_t threads = row_block_threads;
        while (team > threads * most_blocks) threads *= 2;
        plan.cluster = static_cast<int>(team / threads);
        // Measured: worth its registers from there on, where a thread may have all 255.
        plan.ahead = plan.cluster >= 8 && threads == row_block_threads;
        team = threads;
    }
    plan.team = static_cast<int>(team);
    plan.threads = plan.team <= 32 ? 128 : plan.team;
    const std::int64_t in_step = std::int64_t{plan.team} * plan.cluster;
    plan.items = static_cast<int>(divide_up(vectors, in_step));
    plan.full = !plan.tail && shape::is_constant(shape::kept, shape::body::ranges.size) &&
                row == plan.items * in_step * plan.vector;
    return plan;
}

template <class P, int D> constexpr kernel_plan plan_column() {
    using shape = body_shape<P, D>;
    kernel_plan plan;
    plan.family = kernel_family::column;
    plan.vector = shape::vector_width();
    plan.tail = !shape::lanes_divide(plan.vector);
    const std::int64_t lanes = shape::lane < 0 ? 1 : largest<P>(shape::extent(shape::lane));
    const std::int64_t vectors = lanes == unbounded ? unbounded : divide_up(lanes, plan.vector);
    plan.team = static_cast<int>(vectors >= 32 ? 32 : power_of_two_from(vectors > 0 ? vectors : 1));
    plan.items = shape::load_count() <= 1 ? 8 : shape::load_count() <= 3 ? 4 : 2;
    if (shape::reduction_count() > 3 && plan.items > 2) plan.items /= 2; // every lane keeps all accumulators
    return plan;
}

/// The range along which a body reads something contiguous that the lanes do not: the other side of a tile; -1 if none.
template <class P, int D> TOROID_HOST_DEVICE constexpr int crosswise_range() {
    using shape = body_shape<P, D>;
    if constexpr (shape::nest == nest_kind::pointwise && shape::lane >= 0)
        for (const kernel_value& v : shape::body::values.rows) {
            if (v.kind != value_kind::load) continue;
            for (int r = 0; r < shape::body::ranges.size; ++r)
                if (r != shape::lane && shape::stride(v.access, r).is(1) && !shape::stride(v.access, shape::lane).is(0))
                    return r;
        }
    return -1;
}

/// Values that are read across the lanes: contiguous along the other side of the tile.
template <class P, int D> TOROID_HOST_DEVICE constexpr bool is_crosswise_value(int value) {
    using shape = body_shape<P, D>;
    constexpr int across = crosswise_range<P, D>();
    const kernel_value& v = shape::body::values.rows[value];
    return across >= 0 && v.kind == value_kind::load && shape::stride(v.access, across).is(1) &&
           !shape::stride(v.access, shape::lane).is(0);
}
/// Bytes of one element of every value that goes through shared memory.
template <class P, int D> TOROID_HOST_DEVICE constexpr int crosswise_bytes() {
    int bytes = 0;
    for (int v = 0; v < kernel_body<P, D>::values.size; ++v)
        if (is_crosswise_value<P, D>(v)) bytes += size_of(kernel_body<P, D>::values.rows[v].type);
    return bytes;
}
/// Side of a tile: 64 where shared memory allows, else 32.
template <class P, int D> TOROID_HOST_DEVICE constexpr int tile_side() {
    return crosswise_bytes<P, D>() * 64 * 65 <= 40960 ? 64 : 32;
}
/// Most shared memory of a block that needs no permission, in bytes.
inline constexpr int shared_bytes = 49152;

} // namespace detail

/// The plan of definition `D` of program `P`.
template <class P, int D> constexpr kernel_plan make_kernel_plan() {
    using shape = detail::body_shape<P, D>;
    kernel_plan plan;
    if constexpr (shape::nest == nest_kind::row) {
        plan = detail::plan_row<P, D>();
    } else if constexpr (shape::nest == nest_kind::column) {
        plan = detail::plan_column<P, D>();
    } else {
        plan.vector = shape::vector_width();
        plan.tail = !shape::lanes_divide(plan.vector);
        plan.items = shape::load_count() <= 2 ? 4 : shape::load_count() <= 6 ? 2 : 1;
        constexpr int across = detail::crosswise_range<P, D>();
        if (across >= 0) {
            const std::int64_t side = detail::largest<P>(shape::extent(across));
            const std::int64_t lanes = detail::largest<P>(shape::extent(shape::lane));
            const bool fits = detail::crosswise_bytes<P, D>() * 32 * 33 <= detail::shared_bytes;
            if (side >= 16 && lanes >= 16 && fits) plan.family = kernel_family::tile;
        }
    }
    plan.wide = shape::is_wide();
    return plan;
}

/// The plan of definition `D` of program `P` as a constant: `static_assert(cuda::plan_of<net, 0>.cluster == 4)`.
template <class P, int D> inline constexpr kernel_plan plan_of = make_kernel_plan<P, D>();

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
