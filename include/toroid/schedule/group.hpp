#pragma once
// group: the nodes of one kernel to be, the readers of every node, and the result of an attempt to fuse.

#include <toroid/schedule/index_map.hpp>
#include <toroid/schedule/reason.hpp>

namespace toroid {

/// Most reductions of one kernel: its passes are numbered by the bits of a word.
inline constexpr int max_fused_reductions = 32;

/// Nodes that one kernel computes, as a linked list in joining order.
struct fusion_group {
    loop_domain domain;
    int first = -1;     ///< head of the member list
    int last = -1;
    int size = 0;
    int reductions = 0;
    int first_map = -1; ///< head of the list of the group's index maps
    int last_map = -1;
    int lowest = 0;     ///< smallest member number: no dependency search goes below it
};

/// Consumers of every node, as compressed rows.
struct consumer_lists {
    growable<int> begin;
    growable<int> list;

    constexpr explicit consumer_lists(const graph_view& g) : begin(g.size + 1, 0) {
        for (int n = 0; n < g.size; ++n)
            for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) ++begin[g.nodes[n].operands[k] + 1];
        for (int n = 0; n < g.size; ++n) begin[n + 1] += begin[n];
        list.resize(begin[g.size]);
        growable<int> at = begin;
        for (int n = 0; n < g.size; ++n)
            for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) list[at[g.nodes[n].operands[k]]++] = n;
    }
};

/// Result of an attempt: where the consumer would stand, or why it cannot.
struct join_result {
    fusion_reason reason = fusion_reason::fused;
    int map = -1; ///< index map of the node (pointwise) or of its operand (reduction)
    [[nodiscard]] constexpr bool ok() const { return reason == fusion_reason::fused; }
};

} // namespace toroid
