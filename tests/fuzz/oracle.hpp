#pragma once
// The judge of a fuzz case: bounds each value by what rounding may change, found by perturbing the interpreter.

#include <string>

#include <toroid/graph/graph.hpp>
#include <toroid/reference/tensor.hpp>

namespace fuzz {

/// What a comparison found. `skipped` counts elements that rounding may change altogether (a comparison of nearly equal
/// numbers, floor next to an integer): nothing is asked of them.
struct verdict {
    int compared = 0;
    int skipped = 0;
    std::string failure; ///< empty: every compared element agrees
};

/// Values for the inputs of a model, with the symbols at `symbol_value`; `special` mixes in NaN, infinities and limits.
toroid::growable<toroid::reference_tensor> random_inputs(const toroid::graph_view& model, std::int64_t symbol_value,
                                                         unsigned seed, bool special);

/// Whether an input has a run-time extent.
bool has_symbol(const toroid::graph_view& model);

/// Whether a check of the model forbids these inputs.
bool is_rejected(const toroid::graph_view& traced, const toroid::growable<toroid::reference_tensor>& inputs);

/// Whether the model asks for the position of an extreme over nothing, which has no value.
bool has_no_value(const toroid::graph_view& traced, const toroid::growable<toroid::reference_tensor>& inputs);

/// Compares outputs with the interpreted graph. Integers and bool are equal, floating values within rounding.
verdict judge(const toroid::graph_view& traced, const toroid::growable<toroid::reference_tensor>& inputs,
              const toroid::growable<toroid::reference_tensor>& outputs);

/// Interprets the optimised graph: what the passes made of the model, without any backend.
toroid::growable<toroid::reference_tensor>
interpret_optimized(const toroid::graph_view& optimized, const toroid::growable<toroid::reference_tensor>& inputs);

/// The nodes of a graph as text, for a failing seed.
std::string describe(const toroid::graph_view& g);

} // namespace fuzz
