#pragma once
// Pointwise operators and functions on tensors, with broadcasting and PyTorch's dtype promotion.

#include <toroid/expr/broadcast.hpp>

namespace toroid {

/// Checked class: the operation takes operands of dtype `Type`.
template <op Op, dtype Type> struct operand_dtype {
    static constexpr bool value = (static_cast<int>(facts(Op).operands) & (is_boolean(Type)    ? 1
                                                                           : is_integral(Type) ? 2
                                                                                               : 4)) != 0;
    static_assert(
        value, "toroid E023: dtype: operation Op does not take operands of dtype Type; convert with to_dtype<...>(x)");
};

namespace detail {

constexpr dtype operand_type(type_rule rule, dtype promoted) {
    if (rule == type_rule::logical) return dtype::bool_;
    if (rule == type_rule::floating && !is_floating(promoted)) return dtype::f32;
    return promoted;
}
constexpr dtype result_type(type_rule rule, dtype operand) {
    return rule == type_rule::comparison || rule == type_rule::logical ? dtype::bool_ : operand;
}
constexpr dtype promote_all(dtype a) { return a; }
template <class... T> constexpr dtype promote_all(dtype a, dtype b, T... rest) {
    return promote_all(promote(a, b), rest...);
}

template <op Op, expression First, expression... Rest> constexpr auto pointwise(First first, Rest... rest) {
    constexpr dtype promoted = promote_all(First::type, Rest::type...);
    constexpr type_rule rule = facts(Op).rule;
    constexpr dtype type = operand_type(rule, promoted);
    static_assert(operand_dtype<Op, promoted>::value);
    using target = broadcast_of<Op, First, Rest...>;
    static_assert(sizeof(target) != 0); // extents that differ are reported from here, few frames from the model
    trace& t = common_trace(first, rest...);
    const int operands[] = {broadcast_to<target>(to_dtype<type>(first)).id,
                            broadcast_to<target>(to_dtype<type>(rest)).id..., -1, -1};
    return record<tensor_from_t<result_type(rule, type), target>>(t, Op, operands[0], operands[1], operands[2]);
}

/// A number as a constant with the dtype it takes beside `X` and the shape of `X`.
template <expression X, scalar V> constexpr auto constant_beside(X x, V value) {
    constexpr dtype type = promote_scalar(X::type, dtype_of<V>);
    using result = tensor_from_t<type, broadcast_of<op::identity, X>>;
    return record<result>(x.trace(), op::constant, -1, -1, -1, constant_payload(type, value));
}

} // namespace detail

//=== functions of one tensor; formulas and numerical notes: ops/ ===//

template <expression X> constexpr auto neg(X x) { return detail::pointwise<op::neg>(x); }
template <expression X> constexpr auto abs(X x) { return detail::pointwise<op::abs>(x); }
template <expression X> constexpr auto reciprocal(X x) { return detail::pointwise<op::reciprocal>(x); }
template <expression X> constexpr auto square(X x) { return detail::pointwise<op::square>(x); }
template <expression X> constexpr auto sqrt(X x) { return detail::pointwise<op::sqrt>(x); }
template <expression X> constexpr auto rsqrt(X x) { return detail::pointwise<op::rsqrt>(x); }
template <expression X> constexpr auto exp(X x) { return detail::pointwise<op::exp>(x); }
template <expression X> constexpr auto exp2(X x) { return detail::pointwise<op::exp2>(x); }
template <expression X> constexpr auto expm1(X x) { return detail::pointwise<op::expm1>(x); }
template <expression X> constexpr auto log(X x) { return detail::pointwise<op::log>(x); }
template <expression X> constexpr auto log2(X x) { return detail::pointwise<op::log2>(x); }
template <expression X> constexpr auto log10(X x) { return detail::pointwise<op::log10>(x); }
template <expression X> constexpr auto log1p(X x) { return detail::pointwise<op::log1p>(x); }
template <expression X> constexpr auto sin(X x) { return detail::pointwise<op::sin>(x); }
template <expression X> constexpr auto cos(X x) { return detail::pointwise<op::cos>(x); }
template <expression X> constexpr auto tan(X x) { return detail::pointwise<op::tan>(x); }
template <expression X> constexpr auto tanh(X x) { return detail::pointwise<op::tanh>(x); }
template <expression X> constexpr auto sigmoid(X x) { return detail::pointwise<op::sigmoid>(x); }
template <expression X> constexpr auto erf(X x) { return detail::pointwise<op::erf>(x); }
template <expression X> constexpr auto erfc(X x) { return detail::pointwise<op::erfc>(x); }
template <expression X> constexpr auto relu(X x) { return detail::pointwise<op::relu>(x); }
template <expression X> constexpr auto floor(X x) { return detail::pointwise<op::floor>(x); }
template <expression X> constexpr auto ceil(X x) { return detail::pointwise<op::ceil>(x); }
template <expression X> constexpr auto trunc(X x) { return detail::pointwise<op::trunc>(x); }
template <expression X> constexpr auto round(X x) { return detail::pointwise<op::round>(x); }
template <expression X> constexpr auto sign(X x) { return detail::pointwise<op::sign>(x); }
template <expression X> constexpr auto logical_not(X x) { return detail::pointwise<op::logical_not>(x); }
template <expression X> constexpr auto isnan(X x) { return detail::pointwise<op::isnan>(x); }
template <expression X> constexpr auto isinf(X x) { return detail::pointwise<op::isinf>(x); }
template <expression X> constexpr auto operator-(X x) { return neg(x); }
template <expression X> constexpr auto operator!(X x) { return logical_not(x); }

//=== functions of two operands ===//

template <expression A, expression B> constexpr auto add(A a, B b) { return detail::pointwise<op::add>(a, b); }
template <expression A, scalar V> constexpr auto add(A a, V b) { return add(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto add(V a, B b) { return add(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto sub(A a, B b) { return detail::pointwise<op::sub>(a, b); }
template <expression A, scalar V> constexpr auto sub(A a, V b) { return sub(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto sub(V a, B b) { return sub(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto mul(A a, B b) { return detail::pointwise<op::mul>(a, b); }
template <expression A, scalar V> constexpr auto mul(A a, V b) { return mul(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto mul(V a, B b) { return mul(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto div(A a, B b) { return detail::pointwise<op::div>(a, b); }
template <expression A, scalar V> constexpr auto div(A a, V b) { return div(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto div(V a, B b) { return div(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto minimum(A a, B b) { return detail::pointwise<op::minimum>(a, b); }
template <expression A, scalar V> constexpr auto minimum(A a, V b) { return minimum(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto minimum(V a, B b) { return minimum(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto maximum(A a, B b) { return detail::pointwise<op::maximum>(a, b); }
template <expression A, scalar V> constexpr auto maximum(A a, V b) { return maximum(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto maximum(V a, B b) { return maximum(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto fmod(A a, B b) { return detail::pointwise<op::fmod>(a, b); }
template <expression A, scalar V> constexpr auto fmod(A a, V b) { return fmod(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto fmod(V a, B b) { return fmod(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto remainder(A a, B b) {
    return detail::pointwise<op::remainder>(a, b);
}
template <expression A, scalar V> constexpr auto remainder(A a, V b) {
    return remainder(a, detail::constant_beside(a, b));
}
template <scalar V, expression B> constexpr auto remainder(V a, B b) {
    return remainder(detail::constant_beside(b, a), b);
}
template <expression A, expression B> constexpr auto pow(A a, B b) { return detail::pointwise<op::pow>(a, b); }
template <expression A, scalar V> constexpr auto pow(A a, V b) { return pow(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto pow(V a, B b) { return pow(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto eq(A a, B b) { return detail::pointwise<op::eq>(a, b); }
template <expression A, scalar V> constexpr auto eq(A a, V b) { return eq(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto eq(V a, B b) { return eq(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto ne(A a, B b) { return detail::pointwise<op::ne>(a, b); }
template <expression A, scalar V> constexpr auto ne(A a, V b) { return ne(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto ne(V a, B b) { return ne(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto lt(A a, B b) { return detail::pointwise<op::lt>(a, b); }
template <expression A, scalar V> constexpr auto lt(A a, V b) { return lt(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto lt(V a, B b) { return lt(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto le(A a, B b) { return detail::pointwise<op::le>(a, b); }
template <expression A, scalar V> constexpr auto le(A a, V b) { return le(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto le(V a, B b) { return le(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto gt(A a, B b) { return detail::pointwise<op::gt>(a, b); }
template <expression A, scalar V> constexpr auto gt(A a, V b) { return gt(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto gt(V a, B b) { return gt(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto ge(A a, B b) { return detail::pointwise<op::ge>(a, b); }
template <expression A, scalar V> constexpr auto ge(A a, V b) { return ge(a, detail::constant_beside(a, b)); }
template <scalar V, expression B> constexpr auto ge(V a, B b) { return ge(detail::constant_beside(b, a), b); }
template <expression A, expression B> constexpr auto logical_and(A a, B b) {
    return detail::pointwise<op::logical_and>(a, b);
}
template <expression A, scalar V> constexpr auto logical_and(A a, V b) {
    return logical_and(a, detail::constant_beside(a, b));
}
template <scalar V, expression B> constexpr auto logical_and(V a, B b) {
    return logical_and(detail::constant_beside(b, a), b);
}
template <expression A, expression B> constexpr auto logical_or(A a, B b) {
    return detail::pointwise<op::logical_or>(a, b);
}
template <expression A, scalar V> constexpr auto logical_or(A a, V b) {
    return logical_or(a, detail::constant_beside(a, b));
}
template <scalar V, expression B> constexpr auto logical_or(V a, B b) {
    return logical_or(detail::constant_beside(b, a), b);
}
template <expression A, expression B> constexpr auto logical_xor(A a, B b) {
    return detail::pointwise<op::logical_xor>(a, b);
}
template <expression A, scalar V> constexpr auto logical_xor(A a, V b) {
    return logical_xor(a, detail::constant_beside(a, b));
}
template <scalar V, expression B> constexpr auto logical_xor(V a, B b) {
    return logical_xor(detail::constant_beside(b, a), b);
}

//=== operators ===//

template <expression A, expression B> constexpr auto operator+(A a, B b) { return detail::pointwise<op::add>(a, b); }
template <expression A, scalar V> constexpr auto operator+(A a, V b) { return add(a, b); }
template <scalar V, expression B> constexpr auto operator+(V a, B b) { return add(a, b); }
template <expression A, expression B> constexpr auto operator-(A a, B b) { return detail::pointwise<op::sub>(a, b); }
template <expression A, scalar V> constexpr auto operator-(A a, V b) { return sub(a, b); }
template <scalar V, expression B> constexpr auto operator-(V a, B b) { return sub(a, b); }
template <expression A, expression B> constexpr auto operator*(A a, B b) { return detail::pointwise<op::mul>(a, b); }
template <expression A, scalar V> constexpr auto operator*(A a, V b) { return mul(a, b); }
template <scalar V, expression B> constexpr auto operator*(V a, B b) { return mul(a, b); }
template <expression A, expression B> constexpr auto operator/(A a, B b) { return detail::pointwise<op::div>(a, b); }
template <expression A, scalar V> constexpr auto operator/(A a, V b) { return div(a, b); }
template <scalar V, expression B> constexpr auto operator/(V a, B b) { return div(a, b); }
template <expression A, expression B> constexpr auto operator==(A a, B b) { return detail::pointwise<op::eq>(a, b); }
template <expression A, scalar V> constexpr auto operator==(A a, V b) { return eq(a, b); }
template <scalar V, expression B> constexpr auto operator==(V a, B b) { return eq(a, b); }
template <expression A, expression B> constexpr auto operator!=(A a, B b) { return detail::pointwise<op::ne>(a, b); }
template <expression A, scalar V> constexpr auto operator!=(A a, V b) { return ne(a, b); }
template <scalar V, expression B> constexpr auto operator!=(V a, B b) { return ne(a, b); }
template <expression A, expression B> constexpr auto operator<(A a, B b) { return detail::pointwise<op::lt>(a, b); }
template <expression A, scalar V> constexpr auto operator<(A a, V b) { return lt(a, b); }
template <scalar V, expression B> constexpr auto operator<(V a, B b) { return lt(a, b); }
template <expression A, expression B> constexpr auto operator<=(A a, B b) { return detail::pointwise<op::le>(a, b); }
template <expression A, scalar V> constexpr auto operator<=(A a, V b) { return le(a, b); }
template <scalar V, expression B> constexpr auto operator<=(V a, B b) { return le(a, b); }
template <expression A, expression B> constexpr auto operator>(A a, B b) { return detail::pointwise<op::gt>(a, b); }
template <expression A, scalar V> constexpr auto operator>(A a, V b) { return gt(a, b); }
template <scalar V, expression B> constexpr auto operator>(V a, B b) { return gt(a, b); }
template <expression A, expression B> constexpr auto operator>=(A a, B b) { return detail::pointwise<op::ge>(a, b); }
template <expression A, scalar V> constexpr auto operator>=(A a, V b) { return ge(a, b); }
template <scalar V, expression B> constexpr auto operator>=(V a, B b) { return ge(a, b); }
template <expression A, expression B> constexpr auto operator^(A a, B b) {
    return detail::pointwise<op::logical_xor>(a, b);
}
template <expression A, expression B> constexpr auto operator&&(A a, B b) {
    return detail::pointwise<op::logical_and>(a, b);
}
template <expression A, scalar V> constexpr auto operator&&(A a, V b) { return logical_and(a, b); }
template <scalar V, expression B> constexpr auto operator&&(V a, B b) { return logical_and(a, b); }
template <expression A, expression B> constexpr auto operator||(A a, B b) {
    return detail::pointwise<op::logical_or>(a, b);
}
template <expression A, scalar V> constexpr auto operator||(A a, V b) { return logical_or(a, b); }
template <scalar V, expression B> constexpr auto operator||(V a, B b) { return logical_or(a, b); }

//=== functions of three operands ===//

/// `condition ? a : b`, broadcast over all three. condition: bool (other dtypes are converted).
template <expression C, expression A, expression B> constexpr auto where(C condition, A a, B b) {
    constexpr dtype type = promote(A::type, B::type);
    using target = detail::broadcast_of<op::where, C, A, B>;
    static_assert(sizeof(target) != 0);
    trace& t = detail::common_trace(condition, a, b);
    return detail::record<detail::tensor_from_t<type, target>>(
        t, op::where, detail::broadcast_to<target>(to_dtype<boolean>(condition)).id,
        detail::broadcast_to<target>(to_dtype<type>(a)).id, detail::broadcast_to<target>(to_dtype<type>(b)).id);
}
template <expression C, expression A, scalar V> constexpr auto where(C condition, A a, V b) {
    return where(condition, a, detail::constant_beside(a, b));
}
template <expression C, scalar V, expression B> constexpr auto where(C condition, V a, B b) {
    return where(condition, detail::constant_beside(b, a), b);
}

/// a * b + c, rounded once.
template <expression A, expression B, expression C> constexpr auto fma(A a, B b, C c) {
    return detail::pointwise<op::fma>(a, b, c);
}

} // namespace toroid
