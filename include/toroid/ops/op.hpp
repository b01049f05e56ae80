#pragma once
// The operations of the graph: the enumeration, their kinds, and the facts that every stage reads.

#include <cstdint>

#include <toroid/core/dtype.hpp>

namespace toroid {

/// Every operation a node can carry. Pointwise operations come first and in the order of `first_pointwise` to
/// `last_pointwise`; each of them is defined once, by a specialisation of `definition`.
// clang-format off
enum class op : std::uint8_t {
    // pointwise, one operand
    identity, to_dtype, neg, abs, reciprocal, square, sqrt, rsqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos,
    tan, tanh, sigmoid, erf, erfc, relu, floor, ceil, trunc, round, sign, logical_not, isnan, isinf,
    // pointwise, two operands
    add, sub, mul, div, minimum, maximum, fmod, remainder, pow, eq, ne, lt, le, gt, ge, logical_and, logical_or,
    logical_xor,
    // pointwise, three operands
    where, fma,
    // leaves
    input, parameter, constant, iota, extent,
    // views: an index map, never a copy by themselves
    permute, expand, reshape, slice,
    // reductions; reduced axes stay with extent 1
    reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_any, reduce_all, reduce_argmax, reduce_argmin,
    // composites, rewritten by the decompose pass
    mean, var, softmax, log_softmax, logsumexp,
    // others
    concat, matmul
};
// clang-format on

inline constexpr op first_pointwise = op::identity;
inline constexpr op last_pointwise = op::fma;
inline constexpr int pointwise_count = static_cast<int>(last_pointwise) + 1;
inline constexpr int op_count = static_cast<int>(op::matmul) + 1;

TOROID_HOST_DEVICE constexpr bool is_pointwise(op o) { return o <= last_pointwise; }
TOROID_HOST_DEVICE constexpr bool is_leaf(op o) { return o >= op::input && o <= op::extent; }
TOROID_HOST_DEVICE constexpr bool is_view(op o) { return o >= op::permute && o <= op::slice; }
TOROID_HOST_DEVICE constexpr bool is_reduction(op o) { return o >= op::reduce_sum && o <= op::reduce_argmin; }
TOROID_HOST_DEVICE constexpr bool is_composite(op o) { return o >= op::mean && o <= op::logsumexp; }
TOROID_HOST_DEVICE constexpr bool is_arg_reduction(op o) { return o == op::reduce_argmax || o == op::reduce_argmin; }

/// How the result dtype follows from the operand dtypes (after promotion of the operands to one dtype).
enum class type_rule : std::uint8_t {
    same,             ///< result has the operand dtype
    floating,         ///< integers and bool become f32, then `same`
    comparison,       ///< result is bool
    logical,          ///< operands become bool, result is bool
    select,           ///< where: bool, then two of one dtype
    convert           ///< to_dtype: the dtype is the caller's
};

/// Which operand dtypes an operation takes: bit 1 bool, bit 2 integers, bit 4 floating.
enum class dtype_set : std::uint8_t { all = 7, numbers = 6, floating = 4 };

/// The definition of one pointwise operation: name, arity, rule, dtypes and `apply`, the default formula on compute
/// types. Specialised once per operation in the headers of this folder.
template <op O> struct definition;

} // namespace toroid
