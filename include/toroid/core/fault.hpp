#pragma once
// Faults of constant evaluation. A fault is a function with a telling name that is not constexpr: reaching it in a constant
// expression stops compilation and every compiler prints the name; reaching it at run time throws.

#include <stdexcept>

#include <toroid/core/config.hpp>

namespace toroid {

/// Throws std::logic_error. Never constexpr.
[[noreturn]] inline void fault(const char* message) { throw std::logic_error(message); }

} // namespace toroid
