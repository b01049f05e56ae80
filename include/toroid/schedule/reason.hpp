#pragma once
// Why two adjacent operations are not in one kernel.

#include <cstdint>

namespace toroid {

/// One reason per adjacent pair left apart. `fused` means that they are in one kernel.
enum class fusion_reason : std::uint8_t {
    fused,
    not_adjacent,
    extern_kernel,          ///< one side is a matmul, which runs as an extern kernel
    reduction_axes_differ,  ///< the kernel already reduces over other axes
    reduces_row_values,     ///< a reduction over values that are themselves per row
    index_maps_differ,      ///< the consumer reads the producer at other places than the kernel stands at
    broadcast_too_dear,     ///< recomputing the producer for every broadcast element costs more than storing it
    domains_differ,         ///< the loop ranges cannot be matched
    would_cycle,            ///< a kernel between the two depends on one and feeds the other
    search_budget,          ///< the cycle search ended before it could tell
    kernel_full,            ///< the kernel has as many operations as the target allows
    too_many_ranges,        ///< a loop nest has at most eight ranges
    concat_parts,           ///< a concat is written by the kernels of its parts
    fusion_disabled         ///< the target's fusion level is 0
};

/// A sentence for the reason, as listings and failed contracts print it.
constexpr const char* describe(fusion_reason r) {
    constexpr const char* sentences[] = {
        "they are in one kernel",
        "they are not adjacent: neither reads the other",
        "a matmul runs as an extern kernel",
        "the kernel already reduces over other axes",
        "a reduction over values that are per row needs another pass over all rows",
        "the consumer reads the producer at other indices than the kernel computes it at",
        "recomputing the producer for every broadcast element costs more than storing it",
        "the loop ranges cannot be matched",
        "a kernel between them depends on one and feeds the other",
        "the cycle search ended before it could tell",
        "the kernel is full",
        "a loop nest has at most eight ranges",
        "a concat is written by the kernels of its parts",
        "the fusion level is 0"};
    return sentences[static_cast<int>(r)];
}

/// A producer and a consumer (nodes of the optimised graph) that are in different kernels.
struct unfused_pair {
    int producer = -1;
    int consumer = -1;
    fusion_reason reason = fusion_reason::not_adjacent;
};

} // namespace toroid
