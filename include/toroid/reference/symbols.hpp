#pragma once
// Values of the symbols from the extents of inputs and parameters, and the guards on them.

#include <toroid/core/error.hpp>
#include <toroid/graph/graph.hpp>
#include <toroid/reference/tensor.hpp>

namespace toroid {

// Reaching one of these in a constant expression stops compilation with its name; at run time it throws toroid::error.
[[noreturn]] inline void extents_do_not_fit_the_model() {
    throw error(error_code::invalid_argument, "interpret: the extents of an input or a parameter do not fit the model");
}
[[noreturn]] inline void dtype_does_not_fit_the_model() {
    throw error(error_code::invalid_argument, "interpret: the dtype of an input or a parameter does not fit the model");
}
[[noreturn]] inline void model_takes_another_number_of_inputs_or_parameters() {
    throw error(error_code::invalid_argument, "interpret: the model takes another number of inputs or parameters");
}
[[noreturn]] inline void extents_do_not_determine_a_symbol() {
    throw error(error_code::invalid_argument, "interpret: a symbol cannot be solved from the extents of the inputs");
}
[[noreturn]] inline void guard_of_the_model_does_not_hold() {
    throw error(error_code::guard_failed, "interpret: a check of the model does not hold for these extents");
}

namespace detail {

constexpr bool all_bound(std::uint64_t monomial, const symbol_values& symbols) {
    for (; monomial != 0; monomial >>= 8)
        if (!symbols.bound[symbol_values::slot(static_cast<char>(monomial & 0xff))]) return false;
    return true;
}
constexpr bool all_bound(const dim& d, const symbol_values& symbols) {
    return all_bound(d.m1, symbols) && all_bound(d.m2, symbols);
}

/// Solves `d == value` for the one unbound symbol of an affine form in which it occurs once; false if it cannot.
constexpr bool solve(const dim& d, std::int64_t value, symbol_values& symbols) {
    if (!d.is_affine() || all_bound(d, symbols)) return false;
    const std::int64_t coefficients[] = {d.c1, d.c2};
    const std::uint64_t monomials[] = {d.m1, d.m2};
    std::int64_t factor = 0;
    std::int64_t rest = value - d.k;
    char unknown = 0;
    for (int i = 0; i < 2; ++i) {
        if (coefficients[i] == 0) continue;
        if (all_bound(monomials[i], symbols)) {
            rest -= coefficients[i] * monomial_value(monomials[i], symbols);
            continue;
        }
        if (unknown != 0) return false;
        factor = coefficients[i];
        for (std::uint64_t m = monomials[i]; m != 0; m >>= 8) {
            const char letter = static_cast<char>(m & 0xff);
            if (symbols.bound[symbol_values::slot(letter)]) factor *= symbols[letter];
            else if (unknown == 0) unknown = letter;
            else return false;
        }
    }
    if (factor == 0) return false;
    if (rest % factor != 0 || rest / factor < 0) extents_do_not_fit_the_model();
    symbols.set(unknown, rest / factor);
    return true;
}

constexpr const reference_tensor* leaf_value(const node& n, const growable<reference_tensor>& inputs,
                                             const growable<reference_tensor>& parameters) {
    if (n.code == op::input) return &inputs[static_cast<int>(n.payload)];
    return n.code == op::parameter ? &parameters[static_cast<int>(n.payload)] : nullptr;
}

constexpr bool holds(const guard& g, const symbol_values& symbols) {
    const std::int64_t lhs = g.lhs.evaluate(symbols);
    const std::int64_t rhs = g.rhs.evaluate(symbols);
    switch (g.kind) {
    case guard_kind::equals: return lhs == rhs;
    case guard_kind::less: return lhs < rhs;
    case guard_kind::less_or_equal: return lhs <= rhs;
    case guard_kind::multiple_of: return rhs != 0 && lhs % rhs == 0;
    }
    return false;
}

} // namespace detail

/// Values of the symbols for these inputs and parameters; checks counts, dtypes, extents and guards.
constexpr symbol_values solve_symbols(const graph_view& g, const growable<reference_tensor>& inputs,
                                      const growable<reference_tensor>& parameters) {
    if (inputs.size() != g.input_count || parameters.size() != g.parameter_count)
        model_takes_another_number_of_inputs_or_parameters();
    symbol_values symbols;
    for (bool progress = true; progress;) {
        progress = false;
        for (int i = 0; i < g.size; ++i) {
            const reference_tensor* const leaf = detail::leaf_value(g.nodes[i], inputs, parameters);
            if (leaf == nullptr) continue;
            if (leaf->type != g.nodes[i].type) dtype_does_not_fit_the_model();
            if (leaf->rank() != g.rank_of(i)) extents_do_not_fit_the_model();
            for (int a = 0; a < leaf->rank(); ++a)
                if (detail::solve(g.extent(i, a), leaf->extents[a], symbols)) progress = true;
        }
    }
    for (int i = 0; i < g.size; ++i) {
        const reference_tensor* const leaf = detail::leaf_value(g.nodes[i], inputs, parameters);
        if (leaf == nullptr) continue;
        for (int a = 0; a < leaf->rank(); ++a) {
            if (!detail::all_bound(g.extent(i, a), symbols)) extents_do_not_determine_a_symbol();
            if (g.extent(i, a).evaluate(symbols) != leaf->extents[a]) extents_do_not_fit_the_model();
        }
    }
    for (int i = 0; i < g.guard_count; ++i) {
        const guard& condition = g.guards[i];
        if (!detail::all_bound(condition.lhs, symbols) || !detail::all_bound(condition.rhs, symbols))
            extents_do_not_determine_a_symbol();
        if (!detail::holds(condition, symbols)) guard_of_the_model_does_not_hold();
    }
    return symbols;
}

} // namespace toroid
