#pragma once
// print_schedule: launches with the nodes they compute, and why the others were left apart. Host only; needs fmt.

#include <toroid/codegen/kernel_name.hpp>
#include <toroid/graph/strides.hpp>
#include <toroid/inspect/graph.hpp>
#include <toroid/schedule/schedule.hpp>

namespace toroid::inspect {

namespace detail {

/// "%7", or "%7 (scores)".
inline std::string node_name(const graph_view& g, int n) {
    return g.nodes[n].label >= 0 ? fmt::format("%{} ({})", n, g.label_of(n)) : fmt::format("%{}", n);
}

inline std::string step_name(const schedule_view& s, int number) {
    const schedule_step& step = s.steps[number];
    if (step.kind == step_kind::matmul) return "matmul";
    const kernel_definition& d = s.definitions[step.definition];
    return make_kernel_name(s.values + d.values.begin, d.values.size(), step.definition).text;
}

/// The storage that a launch reads, and that it writes.
inline std::string arguments_text(const graph_view& g, const schedule_view& s, const schedule_step& step) {
    if (step.kind == step_kind::matmul) {
        const node& n = g.nodes[step.node];
        return fmt::format("{}, {} -> {}", node_name(g, base_of(g, n.operands[0])),
                           node_name(g, base_of(g, n.operands[1])), node_name(g, step.node));
    }
    std::string read;
    std::string written;
    for (int a = 0; a < step.arguments.size(); ++a) {
        const bool stores = s.arguments[s.definitions[step.definition].arguments.begin + a].written;
        std::string& list = stores ? written : read;
        if (!list.empty()) list += ", ";
        list += node_name(g, s.step_arguments[step.arguments.begin + a]);
    }
    return fmt::format("{}{}-> {}", read, read.empty() ? "" : " ", written);
}

/// Marks the operands of a node that a launch sees without loading: views, constants, and values that it computes
/// again.
inline void mark_operands(const graph_view& g, const schedule_view& s, int n, std::vector<bool>& marked) {
    for (const int x : g.nodes[n].operands) {
        if (x < 0 || marked[x]) continue;
        const op code = g.nodes[x].code;
        const bool entry = code == op::input || code == op::parameter;
        const bool seen = is_view(code) || (is_leaf(code) && !entry) || (is_pointwise(code) && !s.stored[x]);
        if (!seen) continue;
        marked[x] = true;
        mark_operands(g, s, x, marked);
    }
}

/// The nodes of a launch: those it computes, their operands as above, and the concat that it writes a part of.
inline std::vector<bool> nodes_of(const graph_view& g, const schedule_view& s, int number) {
    std::vector<bool> marked(static_cast<std::size_t>(g.size));
    for (int n = 0; n < g.size; ++n)
        if (s.step_of[n] == number) marked[n] = true;
    for (int n = 0; n < g.size; ++n)
        if (s.step_of[n] == number) mark_operands(g, s, n, marked);
    const schedule_step& step = s.steps[number];
    for (int i = step.arguments.begin; i < step.arguments.end; ++i) {
        const int n = s.step_arguments[i];
        const bool stores =
            s.arguments[s.definitions[step.definition].arguments.begin + i - step.arguments.begin].written;
        if (stores && g.nodes[n].code == op::concat) marked[n] = true;
    }
    return marked;
}

} // namespace detail

/// Launches in order: "launch 1: fused_add_relu_0(%5, %1 -> %8)" and below it every node that it evaluates.
inline std::string print_launches(const graph_view& g, const schedule_view& s) {
    std::string text;
    for (int t = 0; t < s.sizes.steps; ++t) {
        text +=
            fmt::format("launch {}: {}({})\n", t, detail::step_name(s, t), detail::arguments_text(g, s, s.steps[t]));
        const std::vector<bool> members = detail::nodes_of(g, s, t);
        for (int n = 0; n < g.size; ++n)
            if (members[n]) text += fmt::format("    {}\n", node_text(g, n));
    }
    return text;
}

/// Every pair of adjacent operations that is in different kernels, with the reason.
inline std::string print_unfused(const graph_view& g, const schedule_view& s) {
    std::string text;
    for (int i = 0; i < s.sizes.unfused; ++i) {
        const unfused_pair& pair = s.unfused[i];
        text += fmt::format("not fused: {} {} and {} {}: {}\n", name_of(g.nodes[pair.producer].code),
                            detail::node_name(g, pair.producer), name_of(g.nodes[pair.consumer].code),
                            detail::node_name(g, pair.consumer), describe(pair.reason));
    }
    return text;
}

/// Launches, then reasons: `print_schedule(program<net>::graph.view(), program<net>::schedule.view())`.
inline std::string print_schedule(const graph_view& g, const schedule_view& s) {
    return print_launches(g, s) + print_unfused(g, s);
}

} // namespace toroid::inspect
