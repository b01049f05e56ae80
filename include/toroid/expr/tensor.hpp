#pragma once
// tensor<dtype, extents...>: the expression. Its type is its interface, its value a node of the traced graph.

#include <concepts>
#include <type_traits>
#include <utility>

#include <toroid/expr/trace.hpp>

namespace toroid {

/// An expression of element type `T` and extents `Extents...` (integers or symbolic extents).
/// As a model's member it is a parameter; as an argument of operator() it is an input; operators return new expressions
/// and compute nothing. Copying is free.
template <dtype T, dim... Extents> struct tensor {
    static_assert(sizeof...(Extents) <= max_rank, "toroid E021: tensor: rank is at most 8");

    static constexpr dtype type = T;
    static constexpr int rank = static_cast<int>(sizeof...(Extents));
    static constexpr shape extents = {rank, {Extents...}};

    /// Extent of an axis; negative axes count from the end.
    static constexpr dim extent(int axis) { return extents.extents[axis < 0 ? axis + rank : axis]; }

    /// The trace that records this expression; errors when the tensor is not part of a running trace.
    [[nodiscard]] constexpr toroid::trace& trace() const {
        if (owner == nullptr) toroid_E025_tensor_is_not_bound_to_a_trace_use_model_members_and_arguments_only();
        return *owner;
    }

    class toroid::trace* owner = nullptr;
    int id = -1;
};

template <class X> struct is_tensor : std::false_type {};
template <dtype T, dim... Extents> struct is_tensor<tensor<T, Extents...>> : std::true_type {};

/// Any tensor, whatever its dtype and extents.
template <class X>
concept expression = is_tensor<std::remove_cvref_t<X>>::value;

/// A C++ number that may stand beside a tensor: it only raises the category of the result, as in PyTorch.
template <class X>
concept scalar = std::is_arithmetic_v<std::remove_cvref_t<X>>;

namespace detail {

/// tensor<T, Source::value.extents...> for a class with a constant `shape value`.
template <dtype T, class Source, class Axes = std::make_integer_sequence<int, Source::value.rank>> struct tensor_from;
template <dtype T, class Source, int... Axis> struct tensor_from<T, Source, std::integer_sequence<int, Axis...>> {
    using type = tensor<T, Source::value.extents[Axis]...>;
};
template <dtype T, class Source> using tensor_from_t = typename tensor_from<T, Source>::type;

/// Records one node and returns it as an expression of type `Result`.
template <class Result>
constexpr Result record(trace& t, op code, int a = -1, int b = -1, int c = -1, std::int64_t payload = 0) {
    node n;
    n.code = code;
    n.type = Result::type;
    n.shape = t.intern(Result::extents);
    n.operands[0] = a;
    n.operands[1] = b;
    n.operands[2] = c;
    n.payload = payload;
    Result result;
    result.owner = &t;
    result.id = t.push(n);
    return result;
}

/// Payload of a constant node: the bits of a double for floating dtypes, else the integer.
template <scalar V> constexpr std::int64_t constant_payload(dtype type, V value) {
    if (is_floating(type)) return std::bit_cast<std::int64_t>(static_cast<double>(value));
    if (is_boolean(type)) return value != V(0);
    return wrapped_integer(type, static_cast<std::int64_t>(value));
}

/// The trace of the first operand, which every other operand must share.
template <class First, class... Rest> constexpr trace& common_trace(const First& first, const Rest&... rest) {
    trace& t = first.trace();
    ((&rest.trace() != &t ? t.fail_mixed(rest.trace()) : void()), ...);
    return t;
}

constexpr int normalize_axis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

/// Checked class: `Axis` addresses a tensor of rank `Rank`.
template <int Axis, int Rank> struct axis_in_range {
    static_assert(Axis >= -Rank && Axis < Rank, "toroid E019: axis out of range: Axis must lie in [-Rank, Rank)");
    static constexpr bool value = Axis >= -Rank && Axis < Rank;
    static constexpr int axis = value ? normalize_axis(Axis, Rank) : 0;
};

} // namespace detail

//=== labels and types ===//

/// Labels a node: `program::kernel_of("scores")` finds it again. At most 63 characters.
template <expression X> constexpr X named(X x, const char* name) {
    graph& g = x.trace().recorded();
    int length = 0;
    while (name[length] != 0) ++length;
    if (length < label::capacity) g.nodes[x.id].label = g.push_label(name);
    else x.trace().fail({trace_fault_kind::long_label, {}, {}, length});
    return x;
}

/// Conversion to another element type (rules: ops/conversion.hpp). The same dtype gives the same node.
template <dtype To, dtype T, dim... E> constexpr auto to_dtype(tensor<T, E...> x) {
    if constexpr (To == T) return x;
    else return detail::record<tensor<To, E...>>(x.trace(), op::to_dtype, x.id);
}

} // namespace toroid
