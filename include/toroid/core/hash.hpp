#pragma once
// hash_combine: the one hash of the compile-time tables.

#include <cstdint>

#include <toroid/core/config.hpp>

namespace toroid {

/// Mixes a value into a running 64-bit hash.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
    return seed * 0xff51afd7ed558ccdULL;
}

} // namespace toroid
