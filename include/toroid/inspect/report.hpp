#pragma once
// report: a program's counts and bytes for given extents, in a few lines. Host only; needs fmt.

#include <string>

#include <fmt/format.h>

#include <toroid/wrapper/program.hpp>

namespace toroid::inspect {

/// Launches, arena bytes and the bytes that launches read and write, for the given symbol values; every symbol of the
/// program must be among them. `report<program<net>>({{'B', 256}})`
template <class Program> std::string report(const symbol_values& symbols = {}) {
    return fmt::format("kernels: {}\nextern kernels: {}\narena: {} bytes\nmoved: {} bytes\n", Program::kernel_count(),
                       Program::extern_count(), Program::arena_bytes(symbols), Program::bytes_moved(symbols));
}

} // namespace toroid::inspect
