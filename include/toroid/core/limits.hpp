#pragma once
// number_limits: the limits of an arithmetic type as constants, which device code may read (functions of
// std::numeric_limits are host functions to nvcc).

#include <limits>

#include <toroid/core/config.hpp>

namespace toroid {

template <class T> struct number_limits {
    static constexpr T lowest = std::numeric_limits<T>::lowest();
    static constexpr T max = std::numeric_limits<T>::max();
    static constexpr int digits = std::numeric_limits<T>::digits;
    static constexpr bool has_infinity = std::numeric_limits<T>::has_infinity;
    static constexpr T infinity = std::numeric_limits<T>::infinity();
    static constexpr T quiet_nan = std::numeric_limits<T>::quiet_NaN();
};

} // namespace toroid
