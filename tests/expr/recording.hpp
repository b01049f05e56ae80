#pragma once
// Test helper: the type of an expression, what a model records, and what constant evaluation accepts.

#include <toroid/expr/model.hpp>

#include <type_traits>

#include "../graph/sketch.hpp"

namespace test_expr {

/// `Expression` is a tensor of this dtype and these extents.
template <class Expression, toroid::dtype T, toroid::dim... Extents>
inline constexpr bool gives = std::is_same_v<std::remove_cvref_t<Expression>, toroid::tensor<T, Extents...>>;

/// The model records exactly the listed graph.
template <class Model> constexpr bool records(std::string_view expected) {
    const toroid::trace t = toroid::trace_model<Model>();
    return test_graph::reads(t.recorded().view(), expected);
}
template <class Model> std::string recording() {
    const toroid::trace t = toroid::trace_model<Model>();
    return test_graph::listing(t.recorded().view());
}

/// True when `F` can be called in a constant expression: it reaches no fault.
template <auto F>
concept constant = requires { typename std::bool_constant<(F(), true)>; };

} // namespace test_expr
