#pragma once
// linear: x · weightᵀ + bias, with PyTorch's parameter names and layout.

#include <toroid/expr/expr.hpp>

namespace toroid::nn {

/// A fully connected layer. weight: [Out, In] (as PyTorch stores it), bias: [Out]; x: [..., In], result [..., Out].
template <int In, int Out, dtype T = f32> struct linear {
    BOOST_HANA_DEFINE_STRUCT(linear, (tensor<T, Out, In>, weight), (tensor<T, Out>, bias));

    constexpr auto operator()(expression auto x) const { return matmul(x, transpose(weight)) + bias; }
};

} // namespace toroid::nn
