#pragma once
// dim_table: distinct extents, strides and offsets by number, so that the scheduler calculates with small integers.

#include <toroid/graph/graph.hpp>

namespace toroid {

/// Distinct dims by number; number 0 is 0 and number 1 is 1. Products are remembered.
struct dim_table {
    growable<dim> dims;

    constexpr dim_table() : products_(remembered * remembered, -1) {
        dims.push(dim(0));
        dims.push(dim(1));
    }
    constexpr int intern(const dim& d) {
        for (int i = 0; i < dims.size(); ++i)
            if (dims[i] == d) return i;
        return dims.push(d);
    }
    constexpr const dim& operator[](int i) const { return dims[i]; }
    constexpr int multiply(int a, int b) {
        if (a == 0 || b == 0) return 0;
        if (a == 1) return b;
        if (b == 1) return a;
        if (a >= remembered || b >= remembered) return intern(dims[a] * dims[b]);
        int& known = products_[a * remembered + b];
        if (known < 0) {
            const int product = intern(dims[a] * dims[b]);
            products_[a * remembered + b] = product;
            return product;
        }
        return known;
    }
    constexpr int add(int a, int b) {
        if (a == 0) return b;
        if (b == 0) return a;
        return intern(dims[a] + dims[b]);
    }
    /// a / b if exact, else -1.
    constexpr int divide(int a, int b) {
        if (b == 1) return a;
        if (a == b && b != 0) return 1;
        const dim_quotient q = divide_exactly(dims[a], dims[b]);
        return q.exact ? intern(q.value) : -1;
    }

private:
    static constexpr int remembered = 48;
    growable<int> products_;
};

/// A graph whose extents are numbers of a dim_table, with the row-major strides of its shapes.
struct numbered_graph {
    graph_view g;
    dim_table dims;

    constexpr explicit numbered_graph(const graph_view& graph)
        : g(graph), extents_(max_rank * graph.shape_count, 1), strides_(max_rank * graph.shape_count, 0) {
        growable<int> number(graph.dim_count, 0);
        for (int i = 0; i < graph.dim_count; ++i) number[i] = dims.intern(graph.dims[i]);
        for (int s = 0; s < graph.shape_count; ++s) {
            int stride = 1;
            for (int a = graph.shapes[s].rank - 1; a >= 0; --a) {
                const int extent = number[graph.shapes[s].extents[a]];
                extents_[s * max_rank + a] = extent;
                strides_[s * max_rank + a] = stride;
                stride = dims.multiply(stride, extent);
            }
        }
        number_ = static_cast<growable<int>&&>(number);
    }
    /// Dim number of an extent.
    [[nodiscard]] constexpr int extent(int node, int axis) const {
        return extents_[g.nodes[node].shape * max_rank + axis];
    }
    /// Dim number of the row-major stride of an axis.
    [[nodiscard]] constexpr int stride(int node, int axis) const {
        return strides_[g.nodes[node].shape * max_rank + axis];
    }
    /// Dim number of an entry of the graph's own dim table.
    [[nodiscard]] constexpr int number(int graph_dim) const { return number_[graph_dim]; }
    [[nodiscard]] constexpr int rank(int node) const { return g.shapes[g.nodes[node].shape].rank; }

private:
    growable<int> extents_;
    growable<int> strides_;
    growable<int> number_;
};

} // namespace toroid
