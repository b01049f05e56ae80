#pragma once
// dim_text: an extent as a person writes it. Host only.

#include <string>
#include <vector>

#include <toroid/core/dim.hpp>

namespace toroid {

//=== sums ===//

/// Terms joined by + and -: {"2*B", "-1"} is "2*B - 1"; no terms are "0".
inline std::string sum_text(const std::vector<std::string>& terms) {
    std::string result;
    for (const std::string& term : terms) {
        if (result.empty()) result = term;
        else if (term.front() == '-') result += " - " + term.substr(1);
        else result += " + " + term;
    }
    return result.empty() ? "0" : result;
}

namespace detail {

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

/// Terms of `k + c1*m1 + c2*m2`: higher degree first, then as the dim has them, the constant last.
inline std::vector<std::string> affine_terms(const dim& d) {
    std::vector<std::string> terms;
    if (d.c1 != 0) terms.push_back(monomial_text(d.c1, d.m1));
    if (d.c2 != 0) terms.insert(degree(d.m2) > degree(d.m1) ? terms.begin() : terms.end(), monomial_text(d.c2, d.m2));
    if (d.k != 0) terms.push_back(std::to_string(d.k));
    return terms;
}

/// The terms that a dim is the sum of.
inline std::vector<std::string> terms_of(const dim& d) {
    if (d.is_affine()) return affine_terms(d);
    const std::vector<std::string> inside = affine_terms(d);
    const std::string sum = inside.size() > 1 ? "(" + sum_text(inside) + ")" : sum_text(inside);
    const std::string quotient = "floor(" + sum + "/" + std::to_string(d.divisor) + ")";
    std::vector<std::string> terms;
    if (d.scale == 1) terms.push_back(quotient);
    else if (d.scale == -1) terms.push_back("-" + quotient);
    else terms.push_back(std::to_string(d.scale) + "*" + quotient);
    if (d.offset != 0) terms.push_back(std::to_string(d.offset));
    return terms;
}

} // namespace detail

/// "128", "8*B*S + 1", "3*floor((B + 1)/2) - 1".
inline std::string dim_text(const dim& d) { return sum_text(detail::terms_of(d)); }

} // namespace toroid
