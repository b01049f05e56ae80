#pragma once
// launcher: owns the grid of a kernel. Callers give extents and the device; with constant extents nothing is computed.

#include <cuda_runtime.h>

#include <climits>

#include <toroid/backend/cuda/check.hpp>
#include <toroid/backend/cuda/kernel.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Most blocks of a launch that exchange partial results, and arrival counters of such a launch.
inline constexpr int most_sharing_blocks = 1024;
inline constexpr int arrival_counters = 16384;

/// What a launcher must know of the device: how many blocks of the kernel it holds at a time.
struct residency {
    std::int64_t blocks = 0;
};

/// The grid of one launch.
struct launch_shape {
    std::int64_t blocks = 0; ///< 0: nothing to do
    unsigned threads = 1;
    unsigned cluster = 1;
    bool cooperative = false; ///< blocks wait for each other: all must be resident
    int splits = 1;
    std::int64_t outer = 0;
    std::int64_t groups = 1;
};

/// Grid of definition `D` of program `P`.
template <class P, int D> struct launcher {
    using body = kernel_body<P, D>;
    static constexpr kernel_plan plan = plan_of<P, D>;
    static constexpr int lane = body::definition.lane_range;
    static constexpr int kept = kept_ranges<body>();

    static constexpr launch_shape shape(const body_dims<body>& dims, const residency& device) {
        using detail::divide_up;
        launch_shape s;
        s.threads = plan.threads;
        s.cluster = plan.cluster;
        if constexpr (plan.family == kernel_family::pointwise) {
            s.outer = 1;
            if constexpr (lane >= 0)
                s.outer = product<0, body::ranges.size>(dims, lane) * divide_up(extent<lane>(dims), plan.vector);
            s.blocks = divide_up(s.outer, std::int64_t{plan.threads} * plan.items);
        } else if constexpr (plan.family == kernel_family::tile) {
            constexpr int across = detail::crosswise_range<P, D>();
            constexpr int side = detail::tile_side<P, D>();
            s.blocks = divide_up(extent<lane>(dims), side) * divide_up(extent<across>(dims), side);
            [&]<int... R>(std::integer_sequence<int, R...>) {
                ((s.blocks *= R == lane || R == across ? 1 : extent<R>(dims)), ...);
            }(std::make_integer_sequence<int, body::ranges.size>{});
            s.outer = s.blocks;
        } else if constexpr (plan.family == kernel_family::row) {
            s.outer = product<0, kept>(dims, -1);
            s.blocks = divide_up(s.outer, plan.threads / plan.team) * plan.cluster;
            if constexpr (plan.ahead) {
                // No more clusters than the device holds, and equal numbers of rows for all.
                const std::int64_t resident = device.blocks >= plan.cluster ? device.blocks / plan.cluster : 1;
                const std::int64_t turns = divide_up(s.outer, resident);
                s.blocks = turns > 0 ? divide_up(s.outer, turns) * plan.cluster : 0;
            }
        } else if constexpr (plan.family == kernel_family::row_loop) {
            s.outer = product<0, kept>(dims, -1);
            const std::int64_t vectors = divide_up(product<kept, body::ranges.size>(dims, -1), plan.vector);
            split(s, s.outer, divide_up(vectors, std::int64_t{plan.threads} * plan.items), device);
        } else {
            const std::int64_t lanes = extent<lane>(dims);
            s.outer = product<0, kept - 1>(dims, -1);
            s.groups = divide_up(lanes, std::int64_t{plan.team} * plan.vector);
            const std::int64_t rows = product<kept, body::ranges.size>(dims, -1);
            split(s, s.outer * s.groups, divide_up(rows, std::int64_t{plan.threads / plan.team} * plan.items), device);
        }
        return s;
    }

private:
    template <int Range> static constexpr std::int64_t extent(const body_dims<body>& dims) {
        return dims.template extent<Range>();
    }
    /// Product of the extents of ranges [First, Last) but `skipped`.
    template <int First, int Last> static constexpr std::int64_t product(const body_dims<body>& dims, int skipped) {
        std::int64_t result = 1;
        [&]<int... I>(std::integer_sequence<int, I...>) {
            ((result *= First + I == skipped ? 1 : extent<First + I>(dims)), ...);
        }(std::make_integer_sequence<int, Last - First>{});
        return result;
    }
    /// Several blocks share a group where groups alone do not fill the device; none takes less than one turn of its loop.
    static constexpr void split(launch_shape& s, std::int64_t groups, std::int64_t turns, const residency& device) {
        s.blocks = groups;
        constexpr int counters = detail::counters_per_group<body>();
        const std::int64_t room = device.blocks < most_sharing_blocks ? device.blocks : most_sharing_blocks;
        if (groups == 0 || turns < 8 || groups * counters > arrival_counters) return;
        std::int64_t splits = room / groups;
        if (splits > turns / 4) splits = turns / 4;
        if (splits < 2) return;
        s.splits = static_cast<int>(splits);
        s.blocks = groups * splits;
        s.cooperative = detail::waits_for_blocks<body>();
    }
};

namespace detail {

/// Bytes for the partial results of a kernel whose blocks share rows.
template <class P, int D> constexpr std::int64_t partial_result_bytes() {
    constexpr kernel_plan plan = plan_of<P, D>;
    using body = kernel_body<P, D>;
    if (plan.family != kernel_family::row_loop && plan.family != kernel_family::column) return 0;
    const std::int64_t lanes = plan.family == kernel_family::column ? std::int64_t{plan.team} * plan.vector : 1;
    return partial_bytes<body>(body::values.size) * lanes * most_sharing_blocks;
}
template <class P> constexpr std::int64_t partial_result_bytes() {
    std::int64_t most = 0;
    [&]<int... D>(std::integer_sequence<int, D...>) {
        ((most = partial_result_bytes<P, D>() > most ? partial_result_bytes<P, D>() : most), ...);
    }(std::make_integer_sequence<int, P::definition_count()>{});
    return most;
}

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
