#pragma once
// Every pointwise operation of a dtype against its golden vectors: the definitions alone, and kernels of the CPU.

#include <tuple>
#include <utility>

#include <toroid/toroid.hpp>

#include "kernels.hpp"

namespace golden {

//=== which operations ===//

/// Kernels of one model each: together they hold every operation that `accepts` the dtype.
enum class group { functions, tests, conversions, binary };

constexpr bool takes(op code, dtype type) {
    return (static_cast<int>(facts(code).operands) & (is_boolean(type) ? 1 : is_integral(type) ? 2 : 4)) != 0;
}
constexpr group group_of(op code) {
    if (facts(code).arity > 1) return group::binary;
    return facts(code).rule == type_rule::floating ? group::functions : group::tests;
}

struct op_list {
    op codes[pointwise_count] = {};
    int size = 0;
};
template <dtype T, group G> constexpr op_list make_list() {
    op_list result;
    for (int i = 0; i < pointwise_count; ++i) {
        const op code = static_cast<op>(i);
        // A model records no identity of its own, and conversions have a group.
        if (code == op::identity || code == op::to_dtype || !takes(code, T) || group_of(code) != G) continue;
        result.codes[result.size++] = code;
    }
    return result;
}
template <dtype T, group G> inline constexpr op_list list = make_list<T, G>();
template <dtype T, group G> using numbers = std::make_integer_sequence<int, list<T, G>.size>;

constexpr dtype operand_of(op code, dtype type) {
    const type_rule rule = facts(code).rule;
    return rule == type_rule::logical ? boolean : rule == type_rule::floating && !is_floating(type) ? f32 : type;
}
constexpr dtype result_of(op code, dtype type) {
    const type_rule rule = facts(code).rule;
    return rule == type_rule::comparison || rule == type_rule::logical ? boolean : operand_of(code, type);
}

/// The public function of an operation.
template <op O, class... X> constexpr auto call(X... x) {
    if constexpr (O == op::neg) return toroid::neg(x...);
    else if constexpr (O == op::abs) return toroid::abs(x...);
    else if constexpr (O == op::reciprocal) return toroid::reciprocal(x...);
    else if constexpr (O == op::square) return toroid::square(x...);
    else if constexpr (O == op::sqrt) return toroid::sqrt(x...);
    else if constexpr (O == op::rsqrt) return toroid::rsqrt(x...);
    else if constexpr (O == op::exp) return toroid::exp(x...);
    else if constexpr (O == op::exp2) return toroid::exp2(x...);
    else if constexpr (O == op::expm1) return toroid::expm1(x...);
    else if constexpr (O == op::log) return toroid::log(x...);
    else if constexpr (O == op::log2) return toroid::log2(x...);
    else if constexpr (O == op::log10) return toroid::log10(x...);
    else if constexpr (O == op::log1p) return toroid::log1p(x...);
    else if constexpr (O == op::sin) return toroid::sin(x...);
    else if constexpr (O == op::cos) return toroid::cos(x...);
    else if constexpr (O == op::tan) return toroid::tan(x...);
    else if constexpr (O == op::tanh) return toroid::tanh(x...);
    else if constexpr (O == op::sigmoid) return toroid::sigmoid(x...);
    else if constexpr (O == op::erf) return toroid::erf(x...);
    else if constexpr (O == op::erfc) return toroid::erfc(x...);
    else if constexpr (O == op::relu) return toroid::relu(x...);
    else if constexpr (O == op::floor) return toroid::floor(x...);
    else if constexpr (O == op::ceil) return toroid::ceil(x...);
    else if constexpr (O == op::trunc) return toroid::trunc(x...);
    else if constexpr (O == op::round) return toroid::round(x...);
    else if constexpr (O == op::sign) return toroid::sign(x...);
    else if constexpr (O == op::logical_not) return toroid::logical_not(x...);
    else if constexpr (O == op::isnan) return toroid::isnan(x...);
    else if constexpr (O == op::isinf) return toroid::isinf(x...);
    else if constexpr (O == op::add) return toroid::add(x...);
    else if constexpr (O == op::sub) return toroid::sub(x...);
    else if constexpr (O == op::mul) return toroid::mul(x...);
    else if constexpr (O == op::div) return toroid::div(x...);
    else if constexpr (O == op::minimum) return toroid::minimum(x...);
    else if constexpr (O == op::maximum) return toroid::maximum(x...);
    else if constexpr (O == op::fmod) return toroid::fmod(x...);
    else if constexpr (O == op::remainder) return toroid::remainder(x...);
    else if constexpr (O == op::pow) return toroid::pow(x...);
    else if constexpr (O == op::eq) return toroid::eq(x...);
    else if constexpr (O == op::ne) return toroid::ne(x...);
    else if constexpr (O == op::lt) return toroid::lt(x...);
    else if constexpr (O == op::le) return toroid::le(x...);
    else if constexpr (O == op::gt) return toroid::gt(x...);
    else if constexpr (O == op::ge) return toroid::ge(x...);
    else if constexpr (O == op::logical_and) return toroid::logical_and(x...);
    else if constexpr (O == op::logical_or) return toroid::logical_or(x...);
    else if constexpr (O == op::logical_xor) return toroid::logical_xor(x...);
    else if constexpr (O == op::fma) return toroid::fma(x...);
}

//=== models ===//

inline constexpr auto N = symbol('N');

template <dtype T, group G> struct model {
    constexpr auto operator()(tensor<T, N> x) const {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::tuple{call<list<T, G>.codes[I]>(x)...};
        }(numbers<T, G>{});
    }
};
template <dtype T> struct model<T, group::conversions> {
    /// The nine other dtypes.
    static constexpr dtype target(int i) { return static_cast<dtype>(i < static_cast<int>(T) ? i : i + 1); }
    constexpr auto operator()(tensor<T, N> x) const {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::tuple{to_dtype<target(I)>(x)...};
        }(std::make_integer_sequence<int, dtype_count - 1>{});
    }
};
template <dtype T> struct model<T, group::binary> {
    template <op O, class X> static constexpr auto recorded(X a, X b, X c) {
        if constexpr (O == op::where) return toroid::where(c, a, b);
        else if constexpr (facts(O).arity == 3) return call<O>(a, b, c);
        else return call<O>(a, b);
    }
    constexpr auto operator()(tensor<T, N> a, tensor<T, N> b, tensor<T, N> c) const {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::tuple{recorded<list<T, group::binary>.codes[I]>(a, b, c)...};
        }(numbers<T, group::binary>{});
    }
};

//=== inputs ===//

template <dtype T> struct inputs {
    array<T> x = file<T>().template read<T>("x");
    array<T> a = file<T>().template read<T>("a");
    array<T> b = file<T>().template read<T>("b");
    array<T> c = file<T>().template read<T>("c");

    /// Text of the operands of an element.
    auto text(int arity) const {
        return [this, arity](std::int64_t i) {
            if (arity == 1) return ", x = " + comparison::shown(x(i));
            return ", a = " + comparison::shown(a(i)) + ", b = " + comparison::shown(b(i)) +
                   ", c = " + comparison::shown(c(i));
        };
    }
};

//=== the definitions ===//

template <dtype To, dtype From> compute_t<To> operand(const storage_t<From>& element) {
    const compute_t<From> x = load_element<From>(&element);
    if constexpr (To == From) return x;
    else return definition<op::to_dtype>::apply<To>(x);
}

template <op O, dtype T> void check_definition(const inputs<T>& in) {
    constexpr dtype type = operand_of(O, T);
    constexpr dtype result = result_of(O, T);
    constexpr int arity = facts(O).arity;
    const array<T>& first = arity == 1 ? in.x : in.a;
    array<result> results(first.extents());
    for (std::int64_t i = 0; i < first.size(); ++i) {
        compute_t<result> value;
        if constexpr (arity == 1) value = definition<O>::apply(operand<type, T>(first(i)));
        else if constexpr (O == op::where)
            value = definition<O>::apply(operand<boolean, T>(in.c(i)), operand<T, T>(in.a(i)), operand<T, T>(in.b(i)));
        else if constexpr (arity == 2)
            value = definition<O>::apply(operand<type, T>(in.a(i)), operand<type, T>(in.b(i)));
        else
            value =
                definition<O>::apply(operand<type, T>(in.a(i)), operand<type, T>(in.b(i)), operand<type, T>(in.c(i)));
        store_element<result>(&results(i), value);
    }
    check_pointwise<T, result>("definition", O, name_of(O), std::as_const(results).span(), in.text(arity));
}

template <dtype To, dtype T> void check_conversion(const inputs<T>& in) {
    array<To> results(in.x.extents());
    for (std::int64_t i = 0; i < in.x.size(); ++i)
        store_element<To>(&results(i), definition<op::to_dtype>::apply<To>(load_element<T>(&in.x(i))));
    check_pointwise<T, To>("definition", op::to_dtype, "to_" + std::string(name_of(To)), std::as_const(results).span(),
                           in.text(1));
}

/// definition<op>::apply of every operation that takes `T`.
template <dtype T> void check_definitions() {
    const inputs<T> in;
    [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto check = [&](auto number) {
            constexpr op code = static_cast<op>(decltype(number)::value);
            if constexpr (code != op::to_dtype && takes(code, T)) check_definition<code, T>(in);
        };
        (check(std::integral_constant<int, I>{}), ...);
    }(std::make_integer_sequence<int, pointwise_count>{});
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (check_conversion<static_cast<dtype>(I), T>(in), ...);
    }(std::make_integer_sequence<int, dtype_count>{});
}

//=== kernels ===//

/// The operations of a group in one program of the CPU.
template <dtype T, group G> void check_kernels() {
    const inputs<T> in;
    for_each_instruction_set<model<T, G>>([&](auto& run, const std::string& where) {
        const auto results = [&] {
            if constexpr (G == group::binary) return run(in.a, in.b, in.c);
            else return run(in.x);
        }();
        constexpr int count = static_cast<int>(std::tuple_size_v<std::remove_cvref_t<decltype(results)>>);
        [&]<int... I>(std::integer_sequence<int, I...>) {
            const auto check = [&](auto number, const auto& result) {
                constexpr int i = decltype(number)::value;
                constexpr dtype type = std::remove_cvref_t<decltype(result)>::type;
                if constexpr (G == group::conversions) {
                    check_pointwise<T, type>(where, op::to_dtype, "to_" + std::string(name_of(type)), result.span(),
                                             in.text(1));
                } else {
                    constexpr op code = list<T, G>.codes[i];
                    static_assert(type == result_of(code, T));
                    check_pointwise<T, type>(where, code, name_of(code), result.span(), in.text(facts(code).arity));
                }
            };
            (check(std::integral_constant<int, I>{}, std::get<I>(results)), ...);
        }(std::make_integer_sequence<int, count>{});
    });
}

} // namespace golden
