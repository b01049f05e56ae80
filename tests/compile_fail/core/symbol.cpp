// A symbol is one letter, not a digit.
// code: E005
// first note: Clang NVIDIA
// expect: toroid_E005_symbol_must_be_one_letter

#include <toroid/core/dim.hpp>

#ifdef TOROID_GOOD
inline constexpr auto batch = toroid::symbol('B');
#else
inline constexpr auto batch = toroid::symbol('1');
#endif
