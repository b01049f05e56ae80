#pragma once
// dim_text: an extent as a person writes it. Host only.

#include <cstdint>
#include <string>

#include <toroid/core/dim.hpp>

namespace toroid {

namespace detail {

/// Adds a term to a sum: "x" and "-1" become "x - 1".
inline void add_term(std::string& sum, const std::string& term) {
    if (sum.empty()) sum = term;
    else if (term.front() == '-') sum.append(" - ").append(term, 1);
    else sum.append(" + ").append(term);
}

/// "8*B*S"; factors of 1 are left out.
inline std::string monomial_text(std::int64_t coefficient, std::uint64_t monomial) {
    std::string letters;
    for (; monomial != 0; monomial >>= 8) {
        if (!letters.empty()) letters += '*';
        letters += static_cast<char>(monomial & 0xff);
    }
    if (coefficient == 1) return letters;
    return coefficient == -1 ? "-" + letters : std::to_string(coefficient) + "*" + letters;
}

inline int degree(std::uint64_t monomial) {
    int result = 0;
    for (; monomial != 0; monomial >>= 8) ++result;
    return result;
}

inline int affine_term_count(const dim& d) { return (d.c1 != 0) + (d.c2 != 0) + (d.k != 0); }
/// Number of terms that a dim is the sum of.
inline int term_count(const dim& d) { return d.is_affine() ? affine_term_count(d) : 1 + (d.offset != 0); }

/// `k + c1*m1 + c2*m2`: higher degree first, then as the dim has them, the constant last.
inline std::string affine_text(const dim& d) {
    std::string sum;
    const bool second_first = degree(d.m2) > degree(d.m1);
    if (second_first && d.c2 != 0) add_term(sum, monomial_text(d.c2, d.m2));
    if (d.c1 != 0) add_term(sum, monomial_text(d.c1, d.m1));
    if (!second_first && d.c2 != 0) add_term(sum, monomial_text(d.c2, d.m2));
    if (d.k != 0) add_term(sum, std::to_string(d.k));
    return sum.empty() ? "0" : sum;
}

} // namespace detail

/// "128", "8*B*S + 1", "3*floor((B + 1)/2) - 1".
inline std::string dim_text(const dim& d) {
    std::string text = detail::affine_text(d);
    if (d.is_affine()) return text;
    if (detail::affine_term_count(d) > 1) text = "(" + text + ")";
    text = "floor(" + text + "/" + std::to_string(d.divisor) + ")";
    if (d.scale == -1) text = "-" + text;
    else if (d.scale != 1) text = std::to_string(d.scale) + "*" + text;
    if (d.offset != 0) detail::add_term(text, std::to_string(d.offset));
    return text;
}

} // namespace toroid
