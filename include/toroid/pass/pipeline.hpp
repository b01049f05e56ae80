#pragma once
// The passes in order: decompose, fold, simplify, cse, dce, layout.

#include <toroid/pass/cse.hpp>
#include <toroid/pass/dce.hpp>
#include <toroid/pass/decompose.hpp>
#include <toroid/pass/fold.hpp>
#include <toroid/pass/layout.hpp>
#include <toroid/pass/simplify.hpp>

namespace toroid {

/// Table sizes that suffice for the optimised graph: each composite adds at most `decomposed_nodes` nodes, one shape and
/// one dim; layout adds what `layout_nodes` says.
constexpr graph_sizes capacity_after_passes(const graph_view& g) {
    graph_sizes sizes = sizes_of(g);
    int composites = 0;
    for (int i = 0; i < g.size; ++i) composites += is_composite(g.nodes[i].code) ? 1 : 0;
    sizes.nodes += composites * (decomposed_nodes + 1) + layout_nodes(g);
    sizes.shapes += composites;
    sizes.dims += composites + 1;
    return sizes;
}

/// The first half of the passes: composites are rewritten, constants folded, identities applied.
constexpr graph lower_composites(const graph_view& g) { return simplify(fold(decompose(g))); }

/// The second half: equal and unused nodes go, storage is laid out.
constexpr graph remove_redundancy(graph g) { return assign_layout(dce(cse(static_cast<graph&&>(g)))); }

/// All passes, and the layout: the graph that the scheduler sees.
constexpr graph optimize(const graph_view& g) { return remove_redundancy(lower_composites(g)); }

} // namespace toroid
