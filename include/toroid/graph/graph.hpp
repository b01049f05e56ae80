#pragma once
// The graph: nodes in topological order, with side tables for shapes, dims, labels, outputs and guards.

#include <cstdint>

#include <toroid/core/growable.hpp>
#include <toroid/graph/node.hpp>

namespace toroid {

/// What a guard requires of two extents.
enum class guard_kind : std::uint8_t { equals, less, less_or_equal, multiple_of };

/// A condition on symbols that could not be decided at compile time.
/// `assumed` guards come from expect_true: the compiler may use them, and they are asserted at entry all the same.
struct guard {
    guard_kind kind = guard_kind::equals;
    bool assumed = false;
    dim lhs;
    dim rhs;

    friend constexpr bool operator==(const guard&, const guard&) = default;
};

/// A result of the program.
struct graph_output {
    int node = -1;
    int label = -1;
};

/// Read-only view of a graph, frozen or growing. Every stage reads graphs through it.
struct graph_view {
    const node* nodes = nullptr;
    int size = 0;
    const shape_ids* shapes = nullptr;
    int shape_count = 0;
    const dim* dims = nullptr;
    int dim_count = 0;
    const label* labels = nullptr;
    int label_count = 0;
    const graph_output* outputs = nullptr;
    int output_count = 0;
    const guard* guards = nullptr;
    int guard_count = 0;
    int input_count = 0;
    int parameter_count = 0;

    [[nodiscard]] constexpr const shape_ids& shape_of(int n) const { return shapes[nodes[n].shape]; }
    [[nodiscard]] constexpr int rank_of(int n) const { return shape_of(n).rank; }
    [[nodiscard]] constexpr dim extent(int n, int axis) const { return dims[shape_of(n).extents[axis]]; }
    [[nodiscard]] constexpr shape extents_of(int n) const {
        shape result;
        result.rank = rank_of(n);
        for (int i = 0; i < result.rank; ++i) result.extents[i] = extent(n, i);
        return result;
    }
    [[nodiscard]] constexpr dim numel(int n) const {
        dim product = 1;
        for (int i = 0; i < rank_of(n); ++i) product = product * extent(n, i);
        return product;
    }
    [[nodiscard]] constexpr const char* label_of(int n) const {
        return nodes[n].label < 0 ? "" : labels[nodes[n].label].text;
    }
};

/// A graph under construction. Tables are interned: equal dims and shapes have one entry.
struct graph {
    growable<node> nodes;
    growable<shape_ids> shapes;
    growable<dim> dims;
    growable<label> labels;
    growable<graph_output> outputs;
    growable<guard> guards;
    int input_count = 0;
    int parameter_count = 0;

    constexpr graph() = default;

    /// A graph with the tables of `other` (dims, shapes, labels, guards) and no nodes or outputs.
    static constexpr graph with_tables_of(const graph_view& other) {
        graph result;
        result.nodes.reserve(other.size);
        result.dims.reserve(other.dim_count);
        for (int i = 0; i < other.dim_count; ++i) result.dims.push(other.dims[i]);
        result.shapes.reserve(other.shape_count);
        for (int i = 0; i < other.shape_count; ++i) result.shapes.push(other.shapes[i]);
        result.labels.reserve(other.label_count);
        for (int i = 0; i < other.label_count; ++i) result.labels.push(other.labels[i]);
        for (int i = 0; i < other.guard_count; ++i) result.guards.push(other.guards[i]);
        result.input_count = other.input_count;
        result.parameter_count = other.parameter_count;
        return result;
    }

    [[nodiscard]] constexpr graph_view view() const {
        return {nodes.data(),  nodes.size(),  shapes.data(), shapes.size(),  dims.data(),
                dims.size(),   labels.data(), labels.size(), outputs.data(), outputs.size(),
                guards.data(), guards.size(), input_count,   parameter_count};
    }

    constexpr int intern(const dim& d) {
        // Recent entries first: shapes repeat.
        for (int i = dims.size() - 1; i >= 0; --i)
            if (dims[i] == d) return i;
        return dims.push(d);
    }
    constexpr int intern(const shape& s) {
        shape_ids ids;
        ids.rank = s.rank;
        for (int i = 0; i < s.rank; ++i) ids.extents[i] = intern(s.extents[i]);
        return intern(ids);
    }
    constexpr int intern(const shape_ids& ids) {
        for (int i = shapes.size() - 1; i >= 0; --i)
            if (shapes[i] == ids) return i;
        return shapes.push(ids);
    }
    constexpr int push(const node& n) { return nodes.push(n); }
    constexpr int push_label(const char* text) { return labels.push(make_label(text)); }

    [[nodiscard]] constexpr shape extents_of(int n) const { return view().extents_of(n); }
};

/// Sizes of a frozen graph.
struct graph_sizes {
    int nodes, shapes, dims, labels, outputs, guards;
};

constexpr graph_sizes sizes_of(const graph_view& g) {
    return {g.size, g.shape_count, g.dim_count, g.label_count, g.output_count, g.guard_count};
}

/// A graph as a constant: arrays of exact or sufficient size. Zero-sized tables keep one unused element.
template <int Nodes, int Shapes, int Dims, int Labels, int Outputs, int Guards> struct frozen_graph {
    node nodes[Nodes > 0 ? Nodes : 1] = {};
    shape_ids shapes[Shapes > 0 ? Shapes : 1] = {};
    dim dims[Dims > 0 ? Dims : 1] = {};
    label labels[Labels > 0 ? Labels : 1] = {};
    graph_output outputs[Outputs > 0 ? Outputs : 1] = {};
    guard guards[Guards > 0 ? Guards : 1] = {};
    graph_sizes sizes = {};
    int input_count = 0;
    int parameter_count = 0;

    [[nodiscard]] constexpr graph_view view() const {
        return {nodes,        sizes.nodes, shapes,        sizes.shapes, dims,         sizes.dims,  labels,
                sizes.labels, outputs,     sizes.outputs, guards,       sizes.guards, input_count, parameter_count};
    }
    [[nodiscard]] constexpr int size() const { return sizes.nodes; }
};

namespace detail {
template <class T> constexpr void copy_table(T* to, const T* from, int count) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
}
} // namespace detail

/// Copies a graph into a constant of the given table sizes.
template <int Nodes, int Shapes, int Dims, int Labels, int Outputs, int Guards>
constexpr auto freeze(const graph_view& g) {
    frozen_graph<Nodes, Shapes, Dims, Labels, Outputs, Guards> result;
    detail::copy_table(result.nodes, g.nodes, g.size);
    detail::copy_table(result.shapes, g.shapes, g.shape_count);
    detail::copy_table(result.dims, g.dims, g.dim_count);
    detail::copy_table(result.labels, g.labels, g.label_count);
    detail::copy_table(result.outputs, g.outputs, g.output_count);
    detail::copy_table(result.guards, g.guards, g.guard_count);
    result.sizes = sizes_of(g);
    result.input_count = g.input_count;
    result.parameter_count = g.parameter_count;
    return result;
}

/// A growing copy of a graph.
constexpr graph copy_of(const graph_view& g) {
    graph result = graph::with_tables_of(g);
    for (int i = 0; i < g.size; ++i) result.nodes.push(g.nodes[i]);
    for (int i = 0; i < g.output_count; ++i) result.outputs.push(g.outputs[i]);
    return result;
}

/// Number of uses of every node; an output counts as one.
constexpr growable<int> use_counts(const graph_view& g) {
    growable<int> uses(g.size, 0);
    for (int n = 0; n < g.size; ++n)
        for (int k = 0; k < 3 && g.nodes[n].operands[k] >= 0; ++k) ++uses[g.nodes[n].operands[k]];
    for (int i = 0; i < g.output_count; ++i) ++uses[g.outputs[i].node];
    return uses;
}

} // namespace toroid
