#pragma once
// Pointwise operations of the interpreter: floating dtypes in double, integers in 64 bits and then wrapped to their dtype.

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <toroid/graph/node.hpp>
#include <toroid/ops/list.hpp>
#include <toroid/reference/tensor.hpp>

namespace toroid {

namespace detail {

/// Operands of one node, in its order.
struct reference_operands {
    const reference_tensor* tensors[3] = {};

    constexpr const reference_tensor& operator[](int k) const { return *tensors[k]; }
};

template <class T> constexpr const T* elements(const reference_tensor& x) {
    if constexpr (std::same_as<T, double>) return x.real.data();
    else return x.integer.data();
}
constexpr void store(reference_tensor& result, int i, double value) { result.real[i] = value; }
constexpr void store(reference_tensor& result, int i, std::int64_t value) {
    result.integer[i] = wrapped_integer(result.type, value);
}
constexpr void store(reference_tensor& result, int i, bool value) { result.integer[i] = value ? 1 : 0; }

/// Bool lives as 0 or 1 in 64 bits. Wrapping at the end is exact: addition, subtraction and multiplication agree modulo every power of two, and no other
/// operation leaves the range of its operands by more than abs and neg of the lowest value do.
template <op O, class T> constexpr void apply_pointwise(reference_tensor& result, const reference_operands& x) {
    using d = definition<O>;
    const int size = result.size();
    if constexpr (d::rule == type_rule::select) {
        const T* const a = elements<T>(x[1]);
        const T* const b = elements<T>(x[2]);
        for (int i = 0; i < size; ++i) store(result, i, d::apply(x[0].integer[i] != 0, a[i], b[i]));
    } else if constexpr (d::arity == 1) {
        const T* const a = elements<T>(x[0]);
        for (int i = 0; i < size; ++i) store(result, i, d::apply(a[i]));
    } else if constexpr (d::arity == 2) {
        const T* const a = elements<T>(x[0]);
        const T* const b = elements<T>(x[1]);
        for (int i = 0; i < size; ++i) store(result, i, d::apply(a[i], b[i]));
    } else {
        const T* const a = elements<T>(x[0]);
        const T* const b = elements<T>(x[1]);
        const T* const c = elements<T>(x[2]);
        for (int i = 0; i < size; ++i) store(result, i, d::apply(a[i], b[i], c[i]));
    }
}

template <op O> constexpr void apply_pointwise(reference_tensor& result, const reference_operands& x) {
    using d = definition<O>;
    const dtype operand = x[d::rule == type_rule::select ? 1 : 0].type;
    if constexpr (O == op::to_dtype) {
        return;
    } else if (is_floating(operand)) {
        if constexpr (d::rule != type_rule::logical) apply_pointwise<O, double>(result, x);
    } else {
        if constexpr (d::rule != type_rule::floating) apply_pointwise<O, std::int64_t>(result, x);
    }
}

template <int... I>
constexpr void select_pointwise(op code, reference_tensor& result, const reference_operands& x,
                                std::integer_sequence<int, I...>) {
    const auto apply_if_named = [&]<int J>(std::integral_constant<int, J>) {
        if (static_cast<int>(code) == J) apply_pointwise<static_cast<op>(J)>(result, x);
    };
    (apply_if_named(std::integral_constant<int, I>{}), ...);
}

template <dtype To> constexpr void convert_to(reference_tensor& result, const reference_tensor& x) {
    const auto stored = [](auto value) {
        if constexpr (is_floating(To)) return static_cast<double>(value);
        else return static_cast<std::int64_t>(value);
    };
    for (int i = 0; i < result.size(); ++i) {
        if (is_floating(x.type)) store(result, i, stored(definition<op::to_dtype>::apply<To>(x.real[i])));
        else store(result, i, stored(definition<op::to_dtype>::apply<To>(x.integer[i])));
    }
}

constexpr void convert(reference_tensor& result, const reference_tensor& x) {
    switch (result.type) {
    case dtype::bool_: return convert_to<dtype::bool_>(result, x);
    case dtype::u8: return convert_to<dtype::u8>(result, x);
    case dtype::i8: return convert_to<dtype::i8>(result, x);
    case dtype::i16: return convert_to<dtype::i16>(result, x);
    case dtype::i32: return convert_to<dtype::i32>(result, x);
    case dtype::i64: return convert_to<dtype::i64>(result, x);
    case dtype::f16: return convert_to<dtype::f16>(result, x);
    case dtype::bf16: return convert_to<dtype::bf16>(result, x);
    case dtype::f32: return convert_to<dtype::f32>(result, x);
    case dtype::f64: return convert_to<dtype::f64>(result, x);
    }
}

constexpr void interpret_pointwise(op code, reference_tensor& result, const reference_operands& x) {
    if (code == op::to_dtype) convert(result, x[0]);
    else select_pointwise(code, result, x, std::make_integer_sequence<int, pointwise_count>{});
}

} // namespace detail
} // namespace toroid
