#pragma once
// fold: pointwise operations on constants become constants, computed by the operation's own formula.

#include <utility>

#include <toroid/ops/list.hpp>
#include <toroid/pass/rewrite.hpp>

namespace toroid {

namespace detail {

template <class T> constexpr T from_payload(dtype type, std::int64_t payload) {
    if (is_floating(type)) return static_cast<T>(std::bit_cast<double>(payload));
    return static_cast<T>(payload);
}
template <class T> constexpr std::int64_t to_payload(T value) {
    if constexpr (std::floating_point<T>) return std::bit_cast<std::int64_t>(static_cast<double>(value));
    else return static_cast<std::int64_t>(value);
}

template <op O, class T> constexpr std::int64_t fold_with(const std::int64_t (&p)[3], dtype type) {
    using d = definition<O>;
    if constexpr (d::rule == type_rule::select) {
        return to_payload(d::apply(p[0] != 0, from_payload<T>(type, p[1]), from_payload<T>(type, p[2])));
    } else if constexpr (d::arity == 1) {
        return to_payload(d::apply(from_payload<T>(type, p[0])));
    } else if constexpr (d::arity == 2) {
        return to_payload(d::apply(from_payload<T>(type, p[0]), from_payload<T>(type, p[1])));
    } else {
        return to_payload(
            d::apply(from_payload<T>(type, p[0]), from_payload<T>(type, p[1]), from_payload<T>(type, p[2])));
    }
}

/// Operations worth folding with their formula: those that compositions and scalars produce.
template <class T> constexpr bool fold_arithmetic(op o, const std::int64_t (&p)[3], dtype type, std::int64_t& result) {
    switch (o) {
    case op::identity: result = p[0]; return true;
    case op::add: result = fold_with<op::add, T>(p, type); return true;
    case op::mul: result = fold_with<op::mul, T>(p, type); return true;
    case op::minimum: result = fold_with<op::minimum, T>(p, type); return true;
    case op::maximum: result = fold_with<op::maximum, T>(p, type); return true;
    case op::where: result = fold_with<op::where, T>(p, type); return true;
    default: break;
    }
    if constexpr (!std::same_as<T, bool>) {
        switch (o) {
        case op::sub: result = fold_with<op::sub, T>(p, type); return true;
        case op::neg: result = fold_with<op::neg, T>(p, type); return true;
        case op::abs: result = fold_with<op::abs, T>(p, type); return true;
        default: break;
        }
    }
    if constexpr (std::floating_point<T>) {
        switch (o) {
        case op::div: result = fold_with<op::div, T>(p, type); return true;
        case op::reciprocal: result = fold_with<op::reciprocal, T>(p, type); return true;
        case op::sqrt: result = fold_with<op::sqrt, T>(p, type); return true;
        case op::rsqrt: result = fold_with<op::rsqrt, T>(p, type); return true;
        case op::exp: result = fold_with<op::exp, T>(p, type); return true;
        case op::log: result = fold_with<op::log, T>(p, type); return true;
        default: break;
        }
    }
    return false;
}

template <class T> constexpr std::int64_t convert_payload(T value, dtype to) {
    switch (to) {
    case dtype::bool_: return to_payload(definition<op::to_dtype>::apply<dtype::bool_>(value));
    case dtype::u8: return to_payload(definition<op::to_dtype>::apply<dtype::u8>(value));
    case dtype::i8: return to_payload(definition<op::to_dtype>::apply<dtype::i8>(value));
    case dtype::i16: return to_payload(definition<op::to_dtype>::apply<dtype::i16>(value));
    case dtype::i32: return to_payload(definition<op::to_dtype>::apply<dtype::i32>(value));
    case dtype::i64: return to_payload(definition<op::to_dtype>::apply<dtype::i64>(value));
    case dtype::f16: return to_payload(definition<op::to_dtype>::apply<dtype::f16>(value));
    case dtype::bf16: return to_payload(definition<op::to_dtype>::apply<dtype::bf16>(value));
    case dtype::f32: return to_payload(definition<op::to_dtype>::apply<dtype::f32>(value));
    case dtype::f64: return to_payload(definition<op::to_dtype>::apply<dtype::f64>(value));
    }
    return 0;
}

/// Numbers whose sums, products, quotients and powers stay finite in f32.
constexpr bool is_moderate(double x) {
    const double magnitude = x < 0 ? -x : x;
    return magnitude == 0 || (magnitude < 1e18 && magnitude > 1e-18);
}
constexpr bool fits_single(double x) { return x < 3.4e38 && x > -3.4e38; }
constexpr bool fold_node(const graph& g, const node& n, std::int64_t& result) {
    std::int64_t p[3] = {};
    for (int k = 0; k < 3; ++k) {
        if (n.operands[k] < 0) continue;
        if (g.nodes[n.operands[k]].code != op::constant) return false;
        p[k] = g.nodes[n.operands[k]].payload;
    }
    if (is_view(n.code)) {
        result = p[0];
        return true;
    }
    if (!is_pointwise(n.code)) return false;
    const dtype operand = g.nodes[n.operands[n.code == op::where ? 1 : 0]].type;
    // Constant evaluation rejects overflow and NaN, so arithmetic on extreme numbers is left to run time.
    if (is_floating(operand) && n.code != op::to_dtype && n.code != op::where && n.code != op::identity)
        for (int k = 0; k < 3; ++k)
            if (n.operands[k] >= 0 && !is_moderate(from_payload<double>(operand, p[k]))) return false;
    if (n.code == op::to_dtype) {
        // Constants are carried unrounded; a cast starts from the value that the operand's dtype holds.
        if (!is_floating(operand)) {
            result = convert_payload(wrapped_integer(operand, p[0]), n.type);
            return true;
        }
        const double value = from_payload<double>(operand, p[0]);
        const bool through_single = operand != dtype::f64 || is_half(n.type) || n.type == dtype::f32;
        if (through_single && !fits_single(value)) return false; // NaN does not fit either
        const double held = from_payload<double>(operand, convert_payload(value, operand));
        result = convert_payload(held, n.type);
        return true;
    }
    switch (operand) {
    case dtype::bool_: return fold_arithmetic<bool>(n.code, p, operand, result);
    case dtype::u8: return fold_arithmetic<std::uint8_t>(n.code, p, operand, result);
    case dtype::i8: return fold_arithmetic<std::int8_t>(n.code, p, operand, result);
    case dtype::i16: return fold_arithmetic<std::int16_t>(n.code, p, operand, result);
    case dtype::i32: return fold_arithmetic<std::int32_t>(n.code, p, operand, result);
    case dtype::i64: return fold_arithmetic<std::int64_t>(n.code, p, operand, result);
    case dtype::f16:
    case dtype::bf16:
    case dtype::f32: return fold_arithmetic<float>(n.code, p, operand, result);
    case dtype::f64: return fold_arithmetic<double>(n.code, p, operand, result);
    }
    return false;
}

} // namespace detail

/// Folds constants through views, casts, arithmetic, sqrt, rsqrt, exp and log. In place: numbers of nodes stay.
constexpr graph fold(graph g) {
    bool changed = false;
    for (int i = 0; i < g.nodes.size(); ++i) {
        const int x = g.nodes[i].operands[0];
        if (x < 0 || (g.nodes[x].code != op::constant && g.nodes[i].code != op::where)) continue;
        std::int64_t value = 0;
        if (!detail::fold_node(g, g.nodes[i], value)) continue;
        node& n = g.nodes[i];
        n.code = op::constant;
        n.payload = value;
        n.start = -1;
        for (int& operand : n.operands) operand = -1;
        changed = true;
    }
    if (!changed) return g;
    return validated(static_cast<graph&&>(g));
}

} // namespace toroid
