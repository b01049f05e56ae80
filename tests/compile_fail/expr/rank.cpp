// A tensor has at most eight axes.
// code: E021
// expect: static assertion failed.*tensor: rank is at most 8

#include <toroid/expr/tensor.hpp>

#ifdef TOROID_GOOD
using image = toroid::tensor<toroid::f32, 1, 2, 3, 4, 5, 6, 7, 8>;
#else
using image = toroid::tensor<toroid::f32, 1, 2, 3, 4, 5, 6, 7, 8, 9>;
#endif
inline constexpr image x;
