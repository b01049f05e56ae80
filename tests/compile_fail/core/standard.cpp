// An older standard of C++. One line says so, and nothing follows.
// code: E001
// wrong flags: -std=c++17
// errors: 1
// expect: toroid E001: needs C\+\+20

#include <toroid/toroid.hpp>
