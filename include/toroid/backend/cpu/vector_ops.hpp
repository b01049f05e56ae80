#pragma once
// vector_ops: the CPU's ops handler. Every operation is its default formula, which the compilers vectorise in place.

#include <toroid/ops/handler.hpp>

namespace toroid::cpu {

/// Names every operation as the default formula (ops/), written so that loops over it vectorise on g++ and clang.
struct vector_ops {
    template <op O> struct override_for;

    static constexpr op defaults[] = {
        op::identity,    op::to_dtype, op::neg,   op::abs,       op::reciprocal,  op::square,     op::sqrt,
        op::rsqrt,       op::exp,      op::exp2,  op::expm1,     op::log,         op::log2,       op::log10,
        op::log1p,       op::sin,      op::cos,   op::tan,       op::tanh,        op::sigmoid,    op::erf,
        op::erfc,        op::relu,     op::floor, op::ceil,      op::trunc,       op::round,      op::sign,
        op::logical_not, op::isnan,    op::isinf, op::add,       op::sub,         op::mul,        op::div,
        op::minimum,     op::maximum,  op::fmod,  op::remainder, op::pow,         op::eq,         op::ne,
        op::lt,          op::le,       op::gt,    op::ge,        op::logical_and, op::logical_or, op::logical_xor,
        op::where,       op::fma};
};
static_assert(check_ops_handler<vector_ops>() && ops_handler<vector_ops>);

} // namespace toroid::cpu
