// Division of an extent by zero.
// code: E007
// first note: Clang NVIDIA
// expect: toroid_E007_dim_division_by_zero

#include <toroid/core/dim.hpp>

#ifdef TOROID_GOOD
inline constexpr auto part = toroid::symbol('N') / 4;
#else
inline constexpr auto part = toroid::symbol('N') / 0;
#endif
