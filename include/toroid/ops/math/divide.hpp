#pragma once
// Division that constant evaluation accepts for a zero divisor too.

#include <type_traits>

#include <toroid/core/config.hpp>
#include <toroid/core/limits.hpp>

namespace toroid::math {

/// a / b, correctly rounded; x / ±0 is ±inf by sign, 0 / 0 and NaN operands give NaN.
template <class T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T divide(T a, T b) {
    if (__builtin_is_constant_evaluated() && b == T(0)) {
        if (a != a || a == T(0)) return number_limits<T>::quiet_nan;
        const bool negative_zero = __builtin_bit_cast(std::conditional_t<sizeof(T) == 4, int, long long>, b) < 0;
        const bool negative = (a < T(0)) != negative_zero;
        return negative ? -number_limits<T>::infinity : number_limits<T>::infinity;
    }
    return a / b;
}

} // namespace toroid::math
