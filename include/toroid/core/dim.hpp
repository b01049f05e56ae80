#pragma once
// Extents: an integer or a quasi-affine form of single-letter symbols, exact and canonical.

#include <cstdint>

#include <toroid/core/symbol.hpp>

namespace toroid {

//=== errors of constant evaluation ===//

// Reaching one of these in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void
toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor() {
    fault("toroid E006: dim leaves the form offset plus scale times floor of two monomials over a divisor");
}
[[noreturn]] inline void toroid_E007_dim_division_by_zero() { fault("toroid E007: dim division by zero"); }
[[noreturn]] inline void toroid_E006_dim_has_more_than_eight_symbols_in_one_product() {
    fault("toroid E006: dim has more than eight symbols in one product");
}

namespace detail {

TOROID_HOST_DEVICE constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        const std::int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/// Product of two monomials. A monomial holds up to eight letters, one per byte, sorted from the low byte up; 0 is 1.
constexpr std::uint64_t multiply_monomials(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    int count = 0;
    while (a != 0 || b != 0) {
        const std::uint64_t ca = a & 0xff;
        const std::uint64_t cb = b & 0xff;
        std::uint64_t next = 0;
        if (cb == 0 || (ca != 0 && ca <= cb)) {
            next = ca;
            a >>= 8;
        } else {
            next = cb;
            b >>= 8;
        }
        if (count == 8) toroid_E006_dim_has_more_than_eight_symbols_in_one_product();
        result |= next << (8 * count++);
    }
    return result;
}

struct monomial_quotient {
    bool exact;
    std::uint64_t value;
};

constexpr monomial_quotient divide_monomials(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    int count = 0;
    while (a != 0) {
        const std::uint64_t letter = a & 0xff;
        a >>= 8;
        if (letter == (b & 0xff)) b >>= 8;
        else result |= letter << (8 * count++);
    }
    return {b == 0, result};
}

TOROID_HOST_DEVICE constexpr std::int64_t monomial_value(std::uint64_t m, const symbol_values& values) {
    std::int64_t product = 1;
    for (; m != 0; m >>= 8) product *= values[static_cast<char>(m & 0xff)];
    return product;
}

} // namespace detail

//=== dim ===//

/// An extent, a stride or an offset: `offset + scale * floor((k + c1*m1 + c2*m2) / divisor)`.
/// Constants have only `k`. The form is canonical, so equal extents compare equal member by member.
/// Structural, hence usable as a template argument: `tensor<f32, 8*N + 1, 64>`.
struct dim {
    std::int64_t k = 0;
    std::int64_t c1 = 0;
    std::int64_t c2 = 0;
    std::uint64_t m1 = 0;
    std::uint64_t m2 = 0;
    std::int64_t divisor = 1;
    std::int64_t scale = 1;
    std::int64_t offset = 0;

    constexpr dim() = default;
    TOROID_HOST_DEVICE constexpr dim(int value) : k(value) {}
    TOROID_HOST_DEVICE constexpr dim(long value) : k(value) {}
    TOROID_HOST_DEVICE constexpr dim(long long value) : k(value) {}
    TOROID_HOST_DEVICE constexpr dim(unsigned value) : k(value) {}
    TOROID_HOST_DEVICE constexpr dim(unsigned long value) : k(static_cast<std::int64_t>(value)) {}
    /// All members in order: how nvcc spells a dim in the host code that it generates.
    TOROID_HOST_DEVICE constexpr dim(std::int64_t k_, std::int64_t c1_, std::int64_t c2_, std::uint64_t m1_,
                                     std::uint64_t m2_, std::int64_t divisor_, std::int64_t scale_,
                                     std::int64_t offset_)
        : k(k_), c1(c1_), c2(c2_), m1(m1_), m2(m2_), divisor(divisor_), scale(scale_), offset(offset_) {}

    [[nodiscard]] TOROID_HOST_DEVICE constexpr bool is_constant() const { return c1 == 0; }
    [[nodiscard]] TOROID_HOST_DEVICE constexpr bool is_affine() const { return divisor == 1; }
    /// Value of a constant extent.
    [[nodiscard]] TOROID_HOST_DEVICE constexpr std::int64_t constant() const { return k; }
    [[nodiscard]] TOROID_HOST_DEVICE constexpr bool is(std::int64_t value) const { return c1 == 0 && k == value; }

    /// Value under the given symbol values; every symbol must be bound.
    [[nodiscard]] TOROID_HOST_DEVICE constexpr std::int64_t evaluate(const symbol_values& values) const {
        std::int64_t sum = k;
        if (c1 != 0) sum += c1 * detail::monomial_value(m1, values);
        if (c2 != 0) sum += c2 * detail::monomial_value(m2, values);
        if (divisor == 1) return sum;
        return offset + scale * detail::floor_divide(sum, divisor);
    }

    friend constexpr bool operator==(const dim&, const dim&) = default;
};

/// A symbolic extent named by one letter, as in einsum: `constexpr auto B = symbol('B');`
constexpr dim symbol(char name) {
    if (symbol_values::slot(name) < 0) toroid_E005_symbol_must_be_one_letter();
    dim result;
    result.c1 = 1;
    result.m1 = static_cast<std::uint64_t>(static_cast<unsigned char>(name));
    return result;
}

namespace detail {

/// A sum of monomials while it is formed: terms may cancel before they have to fit into a dim.
struct term_sum {
    std::int64_t k = 0;
    std::int64_t coefficients[9] = {};
    std::uint64_t monomials[9] = {};
    int count = 0;

    constexpr void add(std::int64_t coefficient, std::uint64_t monomial) {
        if (coefficient == 0) return;
        if (monomial == 0) {
            k += coefficient;
            return;
        }
        for (int i = 0; i < count; ++i)
            if (monomials[i] == monomial) {
                coefficients[i] += coefficient;
                return;
            }
        coefficients[count] = coefficient;
        monomials[count++] = monomial;
    }
    constexpr void add(const dim& affine, std::int64_t factor = 1) {
        k += factor * affine.k;
        add(factor * affine.c1, affine.m1);
        add(factor * affine.c2, affine.m2);
    }
    /// Writes the sum into `k`, `c1*m1` and `c2*m2` of a form.
    constexpr void store(dim& form) const {
        form.k = k;
        form.c1 = form.c2 = 0;
        form.m1 = form.m2 = 0;
        for (int i = 0; i < count; ++i) {
            if (coefficients[i] == 0) continue;
            if (form.c1 == 0) {
                form.c1 = coefficients[i];
                form.m1 = monomials[i];
            } else if (form.c2 == 0) {
                form.c2 = coefficients[i];
                form.m2 = monomials[i];
            } else {
                toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor();
            }
        }
    }
};

/// The same value with the opposite scale: -s * floor(x / d) == s * floor((d - 1 - x) / d).
constexpr dim flipped(dim d) {
    d.scale = -d.scale;
    d.k = d.divisor - 1 - d.k;
    d.c1 = -d.c1;
    d.c2 = -d.c2;
    return d;
}

/// Brings a form into its one canonical spelling.
constexpr dim canonical(dim d) {
    if (d.c1 == 0) {
        d.c1 = d.c2;
        d.m1 = d.m2;
        d.c2 = 0;
    }
    if (d.c1 == 0) d.m1 = 0;
    if (d.c2 == 0) d.m2 = 0;
    if (d.c2 != 0 && d.m2 < d.m1) {
        const std::int64_t c = d.c1;
        const std::uint64_t m = d.m1;
        d.c1 = d.c2;
        d.m1 = d.m2;
        d.c2 = c;
        d.m2 = m;
    }
    if (d.divisor != 1 && d.scale < 0) d = flipped(d);
    if (d.divisor != 1) {
        const std::int64_t common = greatest_common_divisor(greatest_common_divisor(d.c1, d.c2), d.divisor);
        d.k = floor_divide(d.k, common);
        d.c1 /= common;
        d.c2 /= common;
        d.divisor /= common;
        const std::int64_t whole = floor_divide(d.k, d.divisor);
        d.offset += d.scale * whole;
        d.k -= whole * d.divisor;
    }
    if (d.scale == 0) return dim(d.offset);
    if (d.divisor == 1 || d.c1 == 0) {
        d.k = d.c1 == 0 ? d.offset + d.scale * floor_divide(d.k, d.divisor) : d.offset + d.scale * d.k;
        d.c1 *= d.scale;
        d.c2 *= d.scale;
        d.offset = 0;
        d.scale = 1;
        d.divisor = 1;
    }
    return d;
}

} // namespace detail

constexpr dim operator*(dim a, dim b) {
    if (a.is_constant() && b.is_constant()) return a.k * b.k;
    if (a.is_constant() || b.is_constant()) {
        dim form = a.is_constant() ? b : a;
        const std::int64_t factor = a.is_constant() ? a.k : b.k;
        form.scale *= factor;
        form.offset *= factor;
        return detail::canonical(form);
    }
    if (!a.is_affine() || !b.is_affine())
        toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor();
    const std::int64_t ca[] = {a.k, a.c1, a.c2};
    const std::uint64_t ma[] = {0, a.m1, a.m2};
    const std::int64_t cb[] = {b.k, b.c1, b.c2};
    const std::uint64_t mb[] = {0, b.m1, b.m2};
    detail::term_sum sum;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (ca[i] != 0 && cb[j] != 0) sum.add(ca[i] * cb[j], detail::multiply_monomials(ma[i], mb[j]));
    dim result;
    sum.store(result);
    return detail::canonical(result);
}

constexpr dim operator-(dim a) { return dim(-1) * a; }

constexpr dim operator+(dim a, dim b) {
    if (a.is_constant() && b.is_constant()) return a.k + b.k;
    if (a.is_affine() && b.is_affine()) {
        detail::term_sum sum;
        sum.add(a);
        sum.add(b);
        sum.store(a);
        return detail::canonical(a);
    }
    if (a.is_affine()) {
        const dim swap = a;
        a = b;
        b = swap;
    }
    if (b.is_constant()) {
        a.offset += b.k;
        return detail::canonical(a);
    }
    if (b.is_affine()) {
        // s*floor(x/d) + s*y == s*floor((x + d*y)/d)
        if (b.k % a.scale == 0 && b.c1 % a.scale == 0 && b.c2 % a.scale == 0) {
            detail::term_sum sum;
            sum.add(a);
            b.k /= a.scale;
            b.c1 /= a.scale;
            b.c2 /= a.scale;
            sum.add(b, a.divisor);
            sum.store(a);
            return detail::canonical(a);
        }
    } else {
        const auto same_floor = [](const dim& x, const dim& y) {
            return x.k == y.k && x.c1 == y.c1 && x.c2 == y.c2 && x.m1 == y.m1 && x.m2 == y.m2 && x.divisor == y.divisor;
        };
        if (!same_floor(a, b)) b = detail::flipped(b);
        if (same_floor(a, b)) {
            a.scale += b.scale;
            a.offset += b.offset;
            return detail::canonical(a);
        }
    }
    toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor();
    return a;
}

constexpr dim operator-(dim a, dim b) { return a + -b; }

/// floor(a / divisor) for a positive constant divisor; nested floors compose into one.
constexpr dim floor_div(dim a, std::int64_t divisor) {
    if (divisor <= 0) toroid_E007_dim_division_by_zero();
    if (a.is_constant()) return detail::floor_divide(a.k, divisor);
    if (a.is_affine()) {
        a.divisor = divisor;
        return detail::canonical(a);
    }
    // floor((o + s*floor(x/d)) / n): exact when s divides n (then floor(o/s) may be taken inside) or n divides both.
    if (a.scale % divisor == 0 && a.offset % divisor == 0) {
        a.scale /= divisor;
        a.offset /= divisor;
        return a;
    }
    if (a.scale > 0 && divisor % a.scale == 0) {
        a.k += a.divisor * detail::floor_divide(a.offset, a.scale);
        a.divisor *= divisor / a.scale;
        a.offset = 0;
        a.scale = 1;
        return detail::canonical(a);
    }
    toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor();
    return a;
}
constexpr dim operator/(dim a, std::int64_t divisor) { return floor_div(a, divisor); }
constexpr dim ceil_div(dim a, std::int64_t divisor) { return floor_div(a + dim(divisor - 1), divisor); }

/// Quotient of a division that may not be exact.
struct dim_quotient {
    bool exact = false;
    dim value;
};

/// a / b if it is known to be exact: `8*B*S / (4*S)` is `2*B`; `B / 8` is not exact. 0 / 0 is not exact.
constexpr dim_quotient divide_exactly(dim a, dim b) {
    if (a == b && !b.is(0)) return {true, dim(1)};
    if (b.is_constant()) {
        if (b.k == 0) return {};
        if (a.is_affine()) {
            if (a.k % b.k != 0 || a.c1 % b.k != 0 || a.c2 % b.k != 0) return {};
            a.k /= b.k;
            a.c1 /= b.k;
            a.c2 /= b.k;
            return {true, detail::canonical(a)};
        }
        if (a.scale % b.k != 0 || a.offset % b.k != 0) return {};
        a.scale /= b.k;
        a.offset /= b.k;
        return {true, a};
    }
    if (!a.is_affine() || !b.is_affine()) return {};
    if (b.k == 0 && b.c2 == 0) {
        if (a.k != 0 || a.is_constant()) return {a.is(0), dim(0)};
        const auto q1 = detail::divide_monomials(a.m1, b.m1);
        const auto q2 = a.c2 != 0 ? detail::divide_monomials(a.m2, b.m1) : detail::monomial_quotient{true, 0};
        if (!q1.exact || !q2.exact || a.c1 % b.c1 != 0 || a.c2 % b.c1 != 0) return {};
        detail::term_sum sum;
        sum.add(a.c1 / b.c1, q1.value);
        sum.add(a.c2 / b.c1, q2.value);
        dim result;
        sum.store(result);
        return {true, detail::canonical(result)};
    }
    if (a.is(0)) return {true, dim(0)};
    // Two-term divisors: a is b times one monomial. Each term of a is tried as the product with b's first term.
    const std::int64_t ca[] = {a.k, a.c1, a.c2};
    const std::uint64_t ma[] = {0, a.m1, a.m2};
    for (int i = 0; i < 3; ++i) {
        if (ca[i] == 0 || ca[i] % b.c1 != 0) continue;
        const detail::monomial_quotient q = detail::divide_monomials(ma[i], b.m1);
        if (!q.exact) continue;
        dim factor;
        factor.c1 = ca[i] / b.c1;
        factor.m1 = q.value;
        if (q.value == 0) factor = dim(ca[i] / b.c1);
        if (b.k != 0 && b.c2 != 0 && q.value != 0) continue; // three terms: the product would leave the form
        if (b * factor == a) return {true, factor};
    }
    return {};
}

//=== static knowledge ===//

/// True when a <= b for all non-negative symbol values (coefficient-wise); false means "not known".
constexpr bool statically_known_leq(dim a, dim b) {
    if (a == b) return true;
    if (a.is_constant() && b.is_constant()) return a.k <= b.k;
    if (!a.is_affine() || !b.is_affine()) return false;
    std::int64_t c[4] = {b.c1, b.c2, 0, 0};
    std::uint64_t m[4] = {b.m1, b.m2, 0, 0};
    int count = 2;
    const std::int64_t ac[2] = {a.c1, a.c2};
    const std::uint64_t am[2] = {a.m1, a.m2};
    for (int i = 0; i < 2; ++i) {
        bool merged = false;
        for (int j = 0; j < 2; ++j)
            if (c[j] != 0 && m[j] == am[i]) {
                c[j] -= ac[i];
                merged = true;
                break;
            }
        if (!merged) {
            c[count] = -ac[i];
            m[count++] = am[i];
        }
    }
    return b.k >= a.k && c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && c[3] >= 0;
}
constexpr bool statically_known_lt(dim a, dim b) { return statically_known_leq(a + dim(1), b); }
constexpr bool statically_known_equals(dim a, dim b) { return a == b; }
/// True when `divisor` is known to divide `a` ("8*N is a multiple of eight").
TOROID_HOST_DEVICE constexpr bool statically_known_multiple_of(dim a, std::int64_t divisor) {
    if (a.is_affine()) return a.k % divisor == 0 && a.c1 % divisor == 0 && a.c2 % divisor == 0;
    return a.scale % divisor == 0 && a.offset % divisor == 0;
}

/// Upper bound of `a` given upper bounds of the symbols; -1 when a symbol of it has no bound.
constexpr std::int64_t upper_bound(dim a, const symbol_values& bounds) {
    const auto bounded = [&](std::uint64_t m) {
        for (; m != 0; m >>= 8)
            if (!bounds.bound[symbol_values::slot(static_cast<char>(m & 0xff))]) return false;
        return true;
    };
    if (!bounded(a.m1) || !bounded(a.m2)) return -1;
    // The scale of a floor is positive, so symbols with negative coefficients count as 0.
    if (a.c1 < 0) a.c1 = 0;
    if (a.c2 < 0) a.c2 = 0;
    return a.evaluate(bounds);
}

/// True when `a` mentions the symbol.
constexpr bool mentions(dim a, char name) {
    for (std::uint64_t m = a.m1; m != 0; m >>= 8)
        if (static_cast<char>(m & 0xff) == name) return true;
    for (std::uint64_t m = a.m2; m != 0; m >>= 8)
        if (static_cast<char>(m & 0xff) == name) return true;
    return false;
}

/// `a` with every occurrence of the symbol replaced.
constexpr dim substitute(dim a, char name, dim replacement) {
    if (!mentions(a, name)) return a;
    const std::int64_t c[] = {a.c1, a.c2};
    const std::uint64_t m[] = {a.m1, a.m2};
    detail::term_sum sum;
    sum.k = a.k;
    for (int i = 0; i < 2; ++i) {
        if (c[i] == 0) continue;
        dim term = c[i];
        for (std::uint64_t rest = m[i]; rest != 0; rest >>= 8) {
            const char letter = static_cast<char>(rest & 0xff);
            term = term * (letter == name ? replacement : symbol(letter));
        }
        if (!term.is_affine())
            toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor();
        sum.add(term);
    }
    dim inside;
    sum.store(inside);
    inside = detail::canonical(inside);
    return dim(a.scale) * floor_div(inside, a.divisor) + dim(a.offset);
}

} // namespace toroid
