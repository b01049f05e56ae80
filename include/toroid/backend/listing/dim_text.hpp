#pragma once
// Extents in products, shapes, conditions and constants as text. Host only; needs fmt.

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <toroid/core/dim_text.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/graph/graph.hpp>

namespace toroid {

//=== sums ===//

/// Terms joined by + and -: {"2*B", "-1"} is "2*B - 1"; no terms are "0".
inline std::string sum_text(const std::vector<std::string>& terms) {
    std::string result;
    for (const std::string& term : terms) detail::add_term(result, term);
    return result.empty() ? "0" : result;
}

//=== extents ===//

/// A dim as an operand of * and %: sums are put in parentheses.
inline std::string factor_text(const dim& d) {
    return detail::term_count(d) > 1 ? "(" + dim_text(d) + ")" : dim_text(d);
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
