#pragma once
// Division that constant evaluation accepts for a zero divisor too.

#include <toroid/core/config.hpp>
#include <toroid/core/limits.hpp>

namespace toroid::math {

/// a / b, correctly rounded; x / ±0 is ±inf by sign, 0 / 0 and NaN operands give NaN.
template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T divide(T a, T b) {
    if (__builtin_is_constant_evaluated() && b == T(0)) {
        if (a != a || a == T(0)) return number_limits<T>::quiet_nan;
        const bool negative_zero = sizeof(T) == 4 ? __builtin_signbit(static_cast<float>(b)) != 0 : __builtin_signbit(b) != 0;
        const bool negative = (a < T(0)) != negative_zero;
        return negative ? -number_limits<T>::infinity : number_limits<T>::infinity;
    }
    return a / b;
}

} // namespace toroid::math
