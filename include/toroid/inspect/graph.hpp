#pragma once
// print_graph: a graph at any stage, one node per line. Host only; needs fmt.

#include <toroid/graph/graph.hpp>
#include <toroid/inspect/dim_text.hpp>
#include <toroid/ops/list.hpp>

namespace toroid::inspect {

namespace detail {

inline std::string axes_text(std::int64_t mask) {
    std::string text;
    for (int a = 0; a < max_rank; ++a)
        if (has_axis(mask, a)) text += fmt::format("{}{}", text.empty() ? "" : ", ", a);
    return "axes=[" + text + "]";
}

/// What a node says besides its operands: "axes=[1]", "start=2, step=1"; empty for most.
inline std::string attributes_text(const graph_view& g, int n) {
    const node& x = g.nodes[n];
    switch (x.code) {
    case op::input:
    case op::parameter: return std::to_string(x.payload);
    case op::constant: return constant_text(x.type, x.payload);
    case op::iota:
    case op::concat: return fmt::format("axis={}", x.payload);
    case op::extent: return dim_text(g.dims[x.start]);
    case op::permute: {
        std::string text;
        for (int a = 0; a < g.rank_of(n); ++a)
            text += fmt::format("{}{}", a == 0 ? "" : ", ", permutation_axis(x.payload, a));
        return "axes=[" + text + "]";
    }
    case op::slice:
        return fmt::format("axis={}, start={}, step={}", slice_axis(x.payload), dim_text(g.dims[x.start]),
                           slice_step(x.payload));
    case op::var: return fmt::format("{}, correction={}", axes_text(x.payload & 0xff), x.payload >> 8);
    default: return is_reduction(x.code) || is_composite(x.code) ? axes_text(x.payload) : "";
    }
}

} // namespace detail

/// "%3 = add(%1, %2): f32[B, 64]", with the node's label behind it.
inline std::string node_text(const graph_view& g, int n) {
    std::string arguments;
    for (const int operand : g.nodes[n].operands)
        if (operand >= 0) arguments += fmt::format("{}%{}", arguments.empty() ? "" : ", ", operand);
    const std::string attributes = detail::attributes_text(g, n);
    if (!arguments.empty() && !attributes.empty()) arguments += ", ";
    std::string text = fmt::format("%{} = {}({}{}): {}", n, name_of(g.nodes[n].code), arguments, attributes,
                                   shape_text(g.nodes[n].type, g.extents_of(n)));
    if (g.nodes[n].label >= 0) text += fmt::format("  # {}", g.label_of(n));
    return text;
}

/// Guards, nodes and outputs of a graph, one per line: `print_graph(program<net>::graph.view())`.
inline std::string print_graph(const graph_view& g) {
    std::string text;
    for (int i = 0; i < g.guard_count; ++i)
        text += fmt::format("guard {}{}\n", relation_text(g.guards[i].kind, g.guards[i].lhs, g.guards[i].rhs),
                            g.guards[i].assumed ? "  # assumed" : "");
    for (int n = 0; n < g.size; ++n) text += node_text(g, n) + '\n';
    for (int i = 0; i < g.output_count; ++i) {
        text += fmt::format("return %{}", g.outputs[i].node);
        if (g.outputs[i].label >= 0) text += fmt::format("  # {}", g.labels[g.outputs[i].label].text);
        text += '\n';
    }
    return text;
}

} // namespace toroid::inspect
