#pragma once
// The oracle: a naive interpreter of graphs, node by node in double, at run time and in constant evaluation.

#include <toroid/expr/model.hpp>
#include <toroid/reference/reduce.hpp>
#include <toroid/reference/symbols.hpp>

namespace toroid {

// Reaching this in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void extent_is_negative_a_check_is_missing() { fault("extent is negative: a check is missing"); }

namespace detail {

constexpr growable<std::int64_t> extents_under(const graph_view& g, int i, const symbol_values& symbols) {
    growable<std::int64_t> extents;
    for (int a = 0; a < g.rank_of(i); ++a) {
        extents.push(g.extent(i, a).evaluate(symbols));
        if (extents.back() < 0) extent_is_negative_a_check_is_missing();
    }
    return extents;
}

constexpr void fill(reference_tensor& result, double real, std::int64_t integer) {
    for (int i = 0; i < result.size(); ++i) {
        if (is_floating(result.type)) store(result, i, real);
        else store(result, i, integer);
    }
}

/// Constants of f16 and bf16 are f32 numbers, as beside a tensor in PyTorch; they round with the value that they enter.
constexpr void fill_constant(const node& n, reference_tensor& result) {
    if (!is_floating(n.type)) return fill(result, 0, n.payload);
    const double value = floating_constant(n);
    fill(result, n.type == dtype::f64 || math::isnan(value) ? value : round_to(dtype::f32, value), 0);
}

constexpr void fill_iota(const node& n, reference_tensor& result) {
    reference_index index;
    for (int i = 0; i < result.size(); ++i) {
        store(result, i, index.values[static_cast<int>(n.payload)]);
        index.advance(result.extents);
    }
}

constexpr reference_tensor interpret_node(const graph_view& g, int i, const symbol_values& symbols,
                                          const growable<reference_tensor>& values) {
    const node& n = g.nodes[i];
    reference_tensor result = zero_reference(n.type, extents_under(g, i, symbols));
    reference_operands x;
    for (int k = 0; k < 3; ++k)
        if (n.operands[k] >= 0) x.tensors[k] = &values[n.operands[k]];
    const std::int64_t start = n.start >= 0 ? g.dims[n.start].evaluate(symbols) : 0;
    if (is_pointwise(n.code)) interpret_pointwise(n.code, result, x);
    else if (is_view(n.code)) interpret_view(n, result, x[0], start);
    else if (n.code == op::softmax || n.code == op::log_softmax) interpret_softmax(n, result, x[0]);
    else if (is_reduction(n.code) || is_composite(n.code)) interpret_reduction(n, result, x[0]);
    else if (n.code == op::concat) interpret_concat(static_cast<int>(n.payload), result, x[0], x[1]);
    else if (n.code == op::matmul) interpret_matmul(result, x[0], x[1]);
    else if (n.code == op::constant) fill_constant(n, result);
    else if (n.code == op::iota) fill_iota(n, result);
    else fill(result, static_cast<double>(start), start); // extent
    return result;
}

} // namespace detail

/// Computes a graph and returns its outputs in order. After each node `observe(node number, value, values so far)` may look at
/// the value or replace it.
/// Floating values are doubles that only an explicit conversion rounds (to f16, bf16 or f32); integers wrap in their
/// dtype. Takes graphs as traced and as optimised.
/// Errors: `error_code::invalid_argument` where inputs or parameters do not fit, `guard_failed` where a check fails; in
/// constant evaluation, a function that names the fault.
template <class Observer>
constexpr growable<reference_tensor> interpret(const graph_view& g, const growable<reference_tensor>& inputs,
                                               const growable<reference_tensor>& parameters, Observer&& observe) {
    const symbol_values symbols = solve_symbols(g, inputs, parameters);
    growable<reference_tensor> values;
    values.reserve(g.size);
    for (int i = 0; i < g.size; ++i) {
        const reference_tensor* const leaf = detail::leaf_value(g.nodes[i], inputs, parameters);
        if (leaf != nullptr) values.push(*leaf);
        else values.push(detail::interpret_node(g, i, symbols, values));
        observe(i, values.back(), values);
    }
    growable<reference_tensor> outputs;
    outputs.reserve(g.output_count);
    for (int i = 0; i < g.output_count; ++i) outputs.push(values[g.outputs[i].node]);
    return outputs;
}
constexpr growable<reference_tensor> interpret(const graph_view& g, const growable<reference_tensor>& inputs,
                                               const growable<reference_tensor>& parameters = {}) {
    return interpret(g, inputs, parameters, [](int, reference_tensor&, const growable<reference_tensor>&) {});
}

/// Computes a model, traced on the spot: `static_assert(evaluate<classifier>(references(x), references(w, b))[0] == y)`.
/// Parameters come in declaration order.
template <class Model>
constexpr growable<reference_tensor> evaluate(const growable<reference_tensor>& inputs,
                                              const growable<reference_tensor>& parameters = {}) {
    const trace t = trace_model<Model>();
    return interpret(t.recorded().view(), inputs, parameters);
}

} // namespace toroid
