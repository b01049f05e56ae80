#pragma once
// Creation: full, zeros, ones, arange, and their *_like forms.

#include <toroid/expr/pointwise.hpp>

namespace toroid {

template <dtype T, dim... Extents, class V> constexpr tensor<T, Extents...> trace::full(V value) {
    static_assert(scalar<V>, "toroid E024: full: the value is a C++ number");
    return detail::record<tensor<T, Extents...>>(*this, op::constant, -1, -1, -1, detail::constant_payload(T, value));
}

template <dtype T, dim N> constexpr tensor<T, N> trace::arange(double start, double step) {
    const auto index = detail::record<tensor<i64, N>>(*this, op::iota, -1, -1, -1, 0);
    const auto values = to_dtype<T>(index);
    if (start == 0 && step == 1) return values;
    const auto scaled = values * full<T, N>(step);
    return scaled + full<T, N>(start);
}

/// A tensor of the dtype and extents of `x`, filled with one number.
template <expression X, scalar V> constexpr X full_like(X x, V value) {
    return detail::record<X>(x.trace(), op::constant, -1, -1, -1, detail::constant_payload(X::type, value));
}
template <expression X> constexpr X zeros_like(X x) { return full_like(x, 0); }
template <expression X> constexpr X ones_like(X x) { return full_like(x, 1); }

} // namespace toroid
