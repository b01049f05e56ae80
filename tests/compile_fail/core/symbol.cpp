// A symbol is one letter: a digit stops the constant evaluation at a function whose name is the reason.
// expect: symbol_must_be_one_letter

#include <toroid/core/dim.hpp>

#ifdef TOROID_GOOD
inline constexpr auto batch = toroid::symbol('B');
#else
inline constexpr auto batch = toroid::symbol('1');
#endif
