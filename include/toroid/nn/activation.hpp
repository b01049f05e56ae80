#pragma once
// Activations as compositions: gelu, silu, softplus, elu, leaky_relu, clamp.

#include <toroid/expr/pointwise.hpp>

namespace toroid {

/// x * Φ(x) with the error function. Source: Hendrycks and Gimpel 2016; torch GELU(approximate='none').
template <expression X> constexpr auto gelu(X x) { return 0.5 * x * (1.0 + erf(x * 0.70710678118654752440)); }

/// Tanh form of gelu, 0.5 x (1 + tanh(u)) with u = sqrt(2/pi) (x + 0.044715 x^3), as x * sigmoid(2u): the same function
/// without the cancellation of 1 + tanh(u) at negative x. Source: torch GELU(approximate='tanh').
template <expression X> constexpr auto gelu_tanh(X x) {
    return x * sigmoid(x * (1.59576912160573071176 + 0.07135481627260024878 * (x * x)));
}

/// x * sigmoid(x); silu(-inf) is NaN by the formula.
template <expression X> constexpr auto silu(X x) { return x * sigmoid(x); }

/// log(1 + exp(x)), without overflow: max(x, 0) + log1p(exp(-|x|)).
template <expression X> constexpr auto softplus(X x) { return relu(x) + log1p(exp(-abs(x))); }

/// x where x > 0, else alpha * (exp(x) - 1).
template <expression X> constexpr auto elu(X x, double alpha = 1.0) { return where(x > 0, x, alpha * expm1(x)); }

/// x where x > 0, else slope * x.
template <expression X> constexpr auto leaky_relu(X x, double slope = 0.01) { return where(x > 0, x, slope * x); }

/// min(max(x, low), high); NaN propagates; low > high gives high (StableHLO).
template <expression X, scalar L, scalar H> constexpr auto clamp(X x, L low, H high) {
    return minimum(maximum(x, low), high);
}

} // namespace toroid
