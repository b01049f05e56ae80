#pragma once
// to_dtype: conversion between element types, the same on every backend.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <toroid/core/limits.hpp>
#include <toroid/ops/op.hpp>

namespace toroid {

/// Conversion of compute values. An explicit cast always rounds, also to f16 and bf16 (to nearest even, NaN stays NaN;
/// from f64, i32 and i64 through f32, as PyTorch does).
/// Floating to integer truncates, saturates, and takes NaN to 0. Integer to integer wraps. To bool: x != 0, NaN is true.
template <> struct definition<op::to_dtype> {
    static constexpr char name[] = "to_dtype";
    static constexpr int arity = 1;
    static constexpr type_rule rule = type_rule::convert;
    static constexpr dtype_set operands = dtype_set::all;

    template <dtype To, class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr compute_t<To> apply(T x) {
        using result = compute_t<To>;
        if constexpr (To == dtype::bool_) return x != T(0);
        else if constexpr (is_half(To)) return static_cast<float>(storage_t<To>(static_cast<float>(x)));
        else if constexpr (std::floating_point<T> && std::integral<result>) return saturate<result>(x);
        else return static_cast<result>(x);
    }

private:
    template <class Integer, class Real>
    [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr Integer saturate(Real x) {
        // Every limit is a power of two, exact in `Real`; the cast sees only values that fit.
        constexpr Real low = static_cast<Real>(number_limits<Integer>::lowest);
        constexpr Real above = static_cast<Real>(Integer(1) << (number_limits<Integer>::digits - 1)) * Real(2);
        const bool number = x == x;
        const bool fits_below = x >= low;
        const bool fits_above = x < above;
        const Real inside = number && fits_below && fits_above ? x : Real(0);
        const Integer converted = static_cast<Integer>(inside);
        const Integer limited = fits_above ? converted : number_limits<Integer>::max;
        return !number ? Integer(0) : !fits_below ? number_limits<Integer>::lowest : limited;
    }
};

} // namespace toroid
