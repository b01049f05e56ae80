#pragma once
// The op list: every definition in one place, and their facts as one constexpr table.

#include <utility>

#include <toroid/ops/arithmetic.hpp>
#include <toroid/ops/comparison.hpp>
#include <toroid/ops/conversion.hpp>
#include <toroid/ops/op.hpp>
#include <toroid/ops/rounding.hpp>
#include <toroid/ops/transcendental.hpp>

namespace toroid {

/// Facts of one pointwise operation as values.
struct op_facts {
    const char* name;
    int arity;
    type_rule rule;
    dtype_set operands;
};

namespace detail {

template <int... I> constexpr auto make_facts(std::integer_sequence<int, I...>) {
    struct table {
        op_facts rows[sizeof...(I)];
    };
    return table{{{definition<static_cast<op>(I)>::name, definition<static_cast<op>(I)>::arity,
                   definition<static_cast<op>(I)>::rule, definition<static_cast<op>(I)>::operands}...}};
}

inline constexpr auto facts_table = make_facts(std::make_integer_sequence<int, pointwise_count>{});

inline constexpr const char* structural_names[] = {
    "input",  "parameter", "constant", "iota",    "extent",      "permute",   "expand", "reshape",
    "slice",  "sum",       "prod",     "max",     "min",         "any",       "all",    "argmax",
    "argmin", "mean",      "var",      "softmax", "log_softmax", "logsumexp", "concat", "matmul"};
static_assert(sizeof(structural_names) / sizeof(*structural_names) == op_count - pointwise_count);

} // namespace detail

/// Facts of a pointwise operation.
constexpr const op_facts& facts(op o) { return detail::facts_table.rows[static_cast<int>(o)]; }

/// Name of any operation, as listings and messages spell it.
constexpr const char* name_of(op o) {
    return is_pointwise(o) ? facts(o).name : detail::structural_names[static_cast<int>(o) - pointwise_count];
}

/// Number of operands of a node with this operation; 0 for leaves.
constexpr int arity(op o) {
    if (is_pointwise(o)) return facts(o).arity;
    if (is_leaf(o)) return 0;
    return o == op::concat || o == op::matmul ? 2 : 1;
}

/// Operations that cost tens of instructions per element; recomputing one is dearer than loading a stored value.
TOROID_HOST_DEVICE constexpr bool is_expensive(op o) {
    switch (o) {
    case op::exp:
    case op::exp2:
    case op::expm1:
    case op::log:
    case op::log2:
    case op::log10:
    case op::log1p:
    case op::sin:
    case op::cos:
    case op::tan:
    case op::tanh:
    case op::sigmoid:
    case op::erf:
    case op::erfc:
    case op::fmod:
    case op::remainder:
    case op::pow: return true;
    default: return false;
    }
}

} // namespace toroid
