#pragma once
// layer_norm and rms_norm over the last axis.

#include <toroid/expr/reduce.hpp>

namespace toroid {

/// (x - mean) / sqrt(var + epsilon) over the last axis, population variance in two passes. x: [..., N].
/// Source: Ba, Kiros and Hinton 2016; torch.nn.functional.layer_norm.
template <expression X> constexpr auto layer_norm(X x, double epsilon = 1e-5) {
    const auto centered = x - mean<-1>(x, keepdim);
    return centered * rsqrt(var<-1>(x, keepdim, correction<0>) + epsilon);
}

/// layer_norm with scale and shift. weight, bias: [N].
template <expression X, expression W, expression B>
constexpr auto layer_norm(X x, W weight, B bias, double epsilon = 1e-5) {
    return layer_norm(x, epsilon) * weight + bias;
}

/// x / sqrt(mean(x^2) + epsilon) over the last axis. Source: Zhang and Sennrich 2019.
template <expression X> constexpr auto rms_norm(X x, double epsilon = 1e-6) {
    return x * rsqrt(mean<-1>(x * x, keepdim) + epsilon);
}

/// rms_norm with scale. weight: [N].
template <expression X, expression W> constexpr auto rms_norm(X x, W weight, double epsilon = 1e-6) {
    return rms_norm(x, epsilon) * weight;
}

} // namespace toroid
