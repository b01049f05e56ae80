#pragma once
// to_text: an extent as a person writes it. Host only.

#include <string>

#include <toroid/core/dim.hpp>

namespace toroid {

namespace detail {
inline void append_term(std::string& text, std::int64_t coefficient, std::uint64_t monomial) {
    if (coefficient == 0) return;
    std::string term;
    const std::int64_t magnitude = coefficient < 0 ? -coefficient : coefficient;
    if (monomial == 0 || magnitude != 1) term = std::to_string(magnitude);
    for (; monomial != 0; monomial >>= 8) {
        if (!term.empty()) term += '*';
        term += static_cast<char>(monomial & 0xff);
    }
    if (text.empty()) text = (coefficient < 0 ? "-" : "") + term;
    else text += (coefficient < 0 ? " - " : " + ") + term;
}
} // namespace detail

/// "8*B*S + 1", "floor((B + 1)/2)", "64".
inline std::string to_text(const dim& d) {
    std::string inside;
    detail::append_term(inside, d.c1, d.m1);
    detail::append_term(inside, d.c2, d.m2);
    detail::append_term(inside, d.k, 0);
    if (inside.empty()) inside = "0";
    if (d.is_affine()) return inside;
    const bool single = inside.find(' ') == std::string::npos;
    std::string text = "floor(" + (single ? inside : "(" + inside + ")") + "/" + std::to_string(d.divisor) + ")";
    if (d.scale == -1) text = "-" + text;
    else if (d.scale != 1) text = std::to_string(d.scale) + "*" + text;
    if (d.offset != 0) text += (d.offset < 0 ? " - " : " + ") + std::to_string(d.offset < 0 ? -d.offset : d.offset);
    return text;
}

} // namespace toroid
