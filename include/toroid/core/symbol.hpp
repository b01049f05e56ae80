#pragma once
// symbol_values: run-time values of the one-letter symbols in extents.

#include <cstdint>
#include <initializer_list>

#include <toroid/core/config.hpp>
#include <toroid/core/fault.hpp>

namespace toroid {

/// Stops constant evaluation, and throws at run time, when a symbol is not a letter.
[[noreturn]] inline void toroid_E005_symbol_must_be_one_letter() { fault("toroid E005: symbol must be one letter"); }

/// The run-time value of one symbol, as in `{'B', 256}`.
struct binding {
    char name;
    std::int64_t value;
};

/// Values of symbols by letter; 0 and `bound` false where unbound.
struct symbol_values {
    std::int64_t values[52] = {};
    bool bound[52] = {};

    constexpr symbol_values() = default;
    constexpr symbol_values(std::initializer_list<binding> bindings) {
        for (const binding& b : bindings) set(b.name, b.value);
    }
    /// Slot of a letter (A–Z, then a–z), or -1 for another character.
    TOROID_HOST_DEVICE static constexpr int slot(char name) {
        if (name >= 'A' && name <= 'Z') return name - 'A';
        if (name >= 'a' && name <= 'z') return name - 'a' + 26;
        return -1;
    }
    TOROID_HOST_DEVICE static constexpr char letter(int slot) {
        return static_cast<char>(slot < 26 ? 'A' + slot : 'a' + slot - 26);
    }
    /// Binds a symbol; a name that is no letter is a fault.
    constexpr void set(char name, std::int64_t value) {
        const int at = slot(name);
        if (at < 0 || at >= 52) toroid_E005_symbol_must_be_one_letter();
        values[at] = value;
        bound[at] = true;
    }
    TOROID_HOST_DEVICE constexpr std::int64_t operator[](char name) const { return values[slot(name)]; }
};

} // namespace toroid
