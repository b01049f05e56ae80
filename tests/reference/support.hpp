#pragma once
// For the tests of reference/: short names of tensors, and a graph of one operation.

#include <initializer_list>
#include <limits>

#include <toroid/expr/expr.hpp>
#include <toroid/reference/interpreter.hpp>

namespace reference_tests {

using namespace toroid;

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// A model of one function of one input, for a captureless generic lambda.
template <auto F, class X> struct unary_model {
    constexpr auto operator()(X x) const { return F(x); }
};
template <auto F, class X, class Y> struct binary_model {
    constexpr auto operator()(X x, Y y) const { return F(x, y); }
};

/// The first output of `F` on tensors of type `X` with the given values.
template <class X, auto F> constexpr reference_tensor computed(const reference_tensor& x) {
    return evaluate<unary_model<F, X>>(references(x))[0];
}
template <class X, class Y, auto F>
constexpr reference_tensor computed(const reference_tensor& x, const reference_tensor& y) {
    return evaluate<binary_model<F, X, Y>>(references(x, y))[0];
}

} // namespace reference_tests
