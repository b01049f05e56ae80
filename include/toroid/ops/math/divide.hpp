#pragma once
// Division that constant evaluation accepts for a zero divisor too.

#include <limits>
#include <type_traits>

#include <toroid/core/config.hpp>

namespace toroid::math {

/// a / b, correctly rounded; x / ±0 is ±inf by sign, 0 / 0 and NaN operands give NaN.
template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T divide(T a, T b) {
    if (std::is_constant_evaluated() && b == T(0)) {
        if (a != a || a == T(0)) return std::numeric_limits<T>::quiet_NaN();
        const bool negative_zero = sizeof(T) == 4 ? __builtin_signbit(static_cast<float>(b)) != 0 : __builtin_signbit(b) != 0;
        const bool negative = (a < T(0)) != negative_zero;
        return negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    }
    return a / b;
}

} // namespace toroid::math
