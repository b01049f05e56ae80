#pragma once
// dim_text: extents, shapes and constants as text. Host only; needs fmt.

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <toroid/core/dim.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/graph/graph.hpp>

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
    return coefficient == -1 ? "-" + letters : fmt::format("{}*{}", coefficient, letters);
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
    const std::string quotient = fmt::format("floor({}/{})", sum, d.divisor);
    std::vector<std::string> terms;
    if (d.scale == 1) terms.push_back(quotient);
    else if (d.scale == -1) terms.push_back("-" + quotient);
    else terms.push_back(fmt::format("{}*{}", d.scale, quotient));
    if (d.offset != 0) terms.push_back(std::to_string(d.offset));
    return terms;
}

} // namespace detail

//=== extents ===//

/// "128", "8*B*S + 1", "3*floor((B + 1)/2) - 1".
inline std::string dim_text(const dim& d) { return sum_text(detail::terms_of(d)); }

/// A dim as an operand of * and %: sums are put in parentheses.
inline std::string factor_text(const dim& d) {
    const std::vector<std::string> terms = detail::terms_of(d);
    return terms.size() > 1 ? "(" + sum_text(terms) + ")" : sum_text(terms);
}

/// `factor` times a name, as a term of a sum: "x", "64*x", "(B + 1)*x".
inline std::string product_text(const dim& factor, std::string_view name) {
    if (factor.is(1)) return std::string(name);
    return factor.is(-1) ? fmt::format("-{}", name) : fmt::format("{}*{}", factor_text(factor), name);
}

/// "[B, 64]".
inline std::string dims_text(const dim* dims, int count) {
    std::string result = "[";
    for (int i = 0; i < count; ++i) {
        if (i > 0) result += ", ";
        result += dim_text(dims[i]);
    }
    return result + "]";
}

/// "f32[B, 64]".
inline std::string shape_text(dtype type, const shape& extents) {
    return fmt::format("{}{}", name_of(type), dims_text(extents.extents, extents.rank));
}

//=== conditions and constants ===//

/// "B <= 64", "N % 8 == 0".
inline std::string relation_text(guard_kind kind, const dim& lhs, const dim& rhs) {
    if (kind == guard_kind::multiple_of) return fmt::format("{} % {} == 0", factor_text(lhs), factor_text(rhs));
    constexpr const char* relations[] = {"==", "<", "<="};
    return fmt::format("{} {} {}", dim_text(lhs), relations[static_cast<int>(kind)], dim_text(rhs));
}

/// Value of a constant of the given dtype, in the fewest digits that read back as the same value.
inline std::string constant_text(dtype type, std::int64_t payload) {
    if (is_boolean(type)) return payload != 0 ? "true" : "false";
    if (!is_floating(type)) return std::to_string(payload);
    const double value = std::bit_cast<double>(payload);
    if (type == dtype::f64) return fmt::format("{}", value);
    return fmt::format("{}", static_cast<float>(value));
}

} // namespace toroid
