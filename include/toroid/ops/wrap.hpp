#pragma once
// Two's-complement wrap-around arithmetic of the integer dtypes, free of undefined behaviour.

#include <concepts>
#include <type_traits>

#include <toroid/core/config.hpp>

namespace toroid::detail {

/// Unsigned type in which `T` wraps; at least `unsigned`, so that promotion to int cannot overflow.
template <class T> using wrap_t = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

template <std::integral T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T wrap_add(T a, T b) {
    return static_cast<T>(static_cast<wrap_t<T>>(a) + static_cast<wrap_t<T>>(b));
}
template <std::integral T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T wrap_sub(T a, T b) {
    return static_cast<T>(static_cast<wrap_t<T>>(a) - static_cast<wrap_t<T>>(b));
}
template <std::integral T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T wrap_mul(T a, T b) {
    return static_cast<T>(static_cast<wrap_t<T>>(a) * static_cast<wrap_t<T>>(b));
}

/// x < 0; nvcc warns where an unsigned number is asked.
template <std::integral T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>) return x < T(0);
    else return false;
}

} // namespace toroid::detail
