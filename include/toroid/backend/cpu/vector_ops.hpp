#pragma once
// vector_ops: the CPU's ops handlers. Operations are their default formulas, which the compilers vectorise in place.

#include <concepts>

#include <toroid/backend/cpu/isa.hpp>
#include <toroid/ops/handler.hpp>

namespace toroid::cpu {

/// Names every operation as the default formula (ops/), written so that loops over it vectorise on g++ and clang.
struct vector_ops {
    template <op O> struct override_for;

    static constexpr op defaults[] = {
        op::identity,  op::to_dtype,    op::neg,        op::abs,         op::reciprocal,  op::square,  op::sqrt,
        op::rsqrt,     op::exp,         op::exp2,       op::expm1,       op::log,         op::log2,    op::log10,
        op::log1p,     op::sin,         op::cos,        op::tan,         op::tanh,        op::sigmoid, op::erf,
        op::erfc,      op::relu,        op::floor,      op::ceil,        op::trunc,       op::round,   op::sign,
        op::add,       op::sub,         op::mul,        op::div,         op::minimum,     op::maximum, op::fmod,
        op::remainder, op::pow,         op::eq,         op::ne,          op::lt,          op::le,      op::gt,
        op::ge,        op::logical_and, op::logical_or, op::logical_xor, op::logical_not, op::isnan,   op::isinf,
        op::where,     op::fma};
};
static_assert(check_ops_handler<vector_ops>());

/// For instruction sets with fused multiply-add, where the formulas of exp, tanh, … may be contracted but a product of the
/// model and a sum of the model must stay two roundings: products are written as fma(a, b, -0), which no compiler
/// contracts further and which rounds as a * b does.
struct fused_vector_ops {
    template <op O> struct override_for;

    static constexpr op defaults[] = {
        op::identity,   op::to_dtype,    op::neg,         op::abs,     op::reciprocal, op::sqrt,      op::rsqrt,
        op::exp,        op::exp2,        op::expm1,       op::log,     op::log2,       op::log10,     op::log1p,
        op::sin,        op::cos,         op::tan,         op::tanh,    op::sigmoid,    op::erf,       op::erfc,
        op::relu,       op::floor,       op::ceil,        op::trunc,   op::round,      op::sign,      op::add,
        op::sub,        op::div,         op::minimum,     op::maximum, op::fmod,       op::remainder, op::pow,
        op::eq,         op::ne,          op::lt,          op::le,      op::gt,         op::ge,        op::logical_and,
        op::logical_or, op::logical_xor, op::logical_not, op::isnan,   op::isinf,      op::where,     op::fma};
};

template <> struct fused_vector_ops::override_for<op::mul> {
    template <class T> [[gnu::always_inline]] static constexpr T apply(T a, T b) {
        if constexpr (std::same_as<T, float>) return __builtin_fmaf(a, b, -0.0f);
        else if constexpr (std::same_as<T, double>) return __builtin_fma(a, b, -0.0);
        else return definition<op::mul>::apply(a, b);
    }
};
template <> struct fused_vector_ops::override_for<op::square> {
    template <class T> [[gnu::always_inline]] static constexpr T apply(T x) {
        return override_for<op::mul>::apply(x, x);
    }
};
static_assert(check_ops_handler<fused_vector_ops>());

/// The handler of an instruction set.
template <isa I> struct ops_for {
    using type = fused_vector_ops;
};
#if !defined(__FP_FAST_FMAF)
// What the compiler targets without flags has no fused multiply-add (x86-64; elsewhere, or with -march=native, it may).
template <> struct ops_for<isa::baseline> {
    using type = vector_ops;
};
#endif

} // namespace toroid::cpu
