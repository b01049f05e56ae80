// A compiler that is too old. Here a current one claims to be older.
// code: E002
// wrong flags(GNU): -U__GNUC__ -D__GNUC__=11
// wrong flags(Clang): -U__clang_major__ -D__clang_major__=15
// errors: 1
// expect: toroid E002: needs (g\+\+ 12|clang 16) or newer

#include <toroid/toroid.hpp>
