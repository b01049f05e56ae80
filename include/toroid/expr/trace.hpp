#pragma once
// trace: records the graph while a model's operator() runs in constant evaluation; checks on extents.

#include <toroid/core/dim.hpp>
#include <toroid/core/fault.hpp>
#include <toroid/graph/graph.hpp>

namespace toroid {

template <dtype T, dim... Extents> struct tensor;

//=== conditions on extents ===//

/// A relation between two extents, made by `<`, `<=`, `>`, `>=`, `equals` and `multiple_of`; what `check` takes.
struct condition {
    guard_kind kind;
    dim lhs;
    dim rhs;
};

constexpr condition operator<(dim a, dim b) { return {guard_kind::less, a, b}; }
constexpr condition operator<=(dim a, dim b) { return {guard_kind::less_or_equal, a, b}; }
constexpr condition operator>(dim a, dim b) { return {guard_kind::less, b, a}; }
constexpr condition operator>=(dim a, dim b) { return {guard_kind::less_or_equal, b, a}; }
/// `a == b` on extents compares spellings at once; `equals` states a fact to check.
constexpr condition equals(dim a, dim b) { return {guard_kind::equals, a, b}; }
/// `a` is a multiple of the constant `b`.
constexpr condition multiple_of(dim a, dim b) { return {guard_kind::multiple_of, a, b}; }

// Reaching one of these in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void check_fails_for_every_value_of_the_symbols() {
    fault("check fails for every value of the symbols");
}
[[noreturn]] inline void check_contradicts_an_earlier_check() { fault("check contradicts an earlier check"); }
void check_takes_a_condition_such_as_B_leq_64_or_equals_B_64_not_a_bool();
[[noreturn]] inline void tensor_is_not_bound_to_a_trace_use_model_members_and_arguments_only() {
    fault("tensor is not bound to a trace use model members and arguments only");
}
[[noreturn]] inline void tensor_belongs_to_another_trace() { fault("tensor belongs to another trace"); }

//=== trace ===//

/// Records nodes. A model that needs tensors where it has none at hand takes a leading `trace&` parameter, or asks a
/// tensor: `x.trace()`.
class trace {
public:
    constexpr trace() {
        for (std::int64_t& bound : lower_.values) bound = 0;
    }

    //=== checks ===//

    /// The condition must hold: decided now if it can be (a false one is a compile error), else a guard at entry.
    constexpr void check(condition c) { require(c, false); }
    constexpr void check(bool) = delete; // compare extents with equals(a, b), not with ==
    /// The program may assume the condition; it is asserted at entry.
    constexpr void expect_true(condition c) { require(c, true); }

    constexpr void check_lt(dim a, dim b, bool assumed = false) {
        a = replace(a);
        b = replace(b);
        check_leq(a + dim(1), b, assumed);
    }

    constexpr void check_leq(dim a, dim b, bool assumed = false) {
        a = replace(a);
        b = replace(b);
        if (statically_known_leq(a, b)) return;
        if (upper_known(a) && lower_bound(b) >= upper_bound(a, upper_)) return;
        if (statically_known_lt(b, a)) check_fails_for_every_value_of_the_symbols();
        if (upper_known(b) && lower_bound(a) > upper_bound(b, upper_)) check_contradicts_an_earlier_check();
        if (is_symbol(a) && b.is_constant()) tighten_upper(letter_of(a), b.k);
        if (is_symbol(b) && a.is_constant()) tighten_lower(letter_of(b), a.k);
        add_guard({guard_kind::less_or_equal, assumed, a, b});
    }

    constexpr void check_equals(dim a, dim b, bool assumed = false) {
        a = replace(a);
        b = replace(b);
        if (a == b) return;
        if (a.is_constant() && b.is_constant()) check_fails_for_every_value_of_the_symbols();
        if (statically_known_lt(a, b) || statically_known_lt(b, a)) check_fails_for_every_value_of_the_symbols();
        if (b.is_constant() && (lower_bound(a) > b.k || (upper_known(a) && upper_bound(a, upper_) < b.k)))
            check_contradicts_an_earlier_check();
        if (a.is_constant() && (lower_bound(b) > a.k || (upper_known(b) && upper_bound(b, upper_) < a.k)))
            check_contradicts_an_earlier_check();
        add_guard({guard_kind::equals, assumed, a, b});
        if (is_symbol(a) && !mentions(b, letter_of(a))) learn(letter_of(a), b);
        else if (is_symbol(b) && !mentions(a, letter_of(b))) learn(letter_of(b), a);
    }

    constexpr void check_multiple_of(dim a, dim b, bool assumed = false) {
        a = replace(a);
        if (!b.is_constant() || b.k <= 0) dim_division_by_zero();
        if (statically_known_multiple_of(a, b.k)) return;
        if (a.is_constant()) check_fails_for_every_value_of_the_symbols();
        add_guard({guard_kind::multiple_of, assumed, a, b});
    }

    /// `d` with all known equalities applied.
    [[nodiscard]] constexpr dim replace(dim d) const {
        for (const equality& e : equalities_) d = substitute(d, e.name, e.value);
        return d;
    }

    [[nodiscard]] constexpr bool statically_known_leq(dim a, dim b) const {
        return toroid::statically_known_leq(replace(a), replace(b));
    }
    [[nodiscard]] constexpr bool statically_known_lt(dim a, dim b) const {
        return toroid::statically_known_lt(replace(a), replace(b));
    }
    [[nodiscard]] constexpr bool statically_known_equals(dim a, dim b) const { return replace(a) == replace(b); }

    //=== creation (defined in expr/create.hpp) ===//

    /// A tensor filled with one number: `t.full<f32, B, 3>(0)`.
    template <dtype T, dim... Extents, class V> constexpr tensor<T, Extents...> full(V value);
    /// 0, 1, …, N-1: `t.arange<i32, N>()`; `start + i * step` with arguments.
    template <dtype T, dim N> constexpr tensor<T, N> arange(double start = 0, double step = 1);

    //=== recording ===//

    constexpr int push(const node& n) { return graph_.push(n); }
    constexpr int intern(const shape& s) { return graph_.intern(s); }
    constexpr int intern(const dim& d) { return graph_.intern(d); }
    [[nodiscard]] constexpr graph& recorded() { return graph_; }
    [[nodiscard]] constexpr const graph& recorded() const { return graph_; }

private:
    struct equality {
        char name = 0;
        dim value;
    };

    constexpr void require(condition c, bool assumed) {
        switch (c.kind) {
        case guard_kind::less: check_lt(c.lhs, c.rhs, assumed); break;
        case guard_kind::less_or_equal: check_leq(c.lhs, c.rhs, assumed); break;
        case guard_kind::equals: check_equals(c.lhs, c.rhs, assumed); break;
        case guard_kind::multiple_of: check_multiple_of(c.lhs, c.rhs, assumed); break;
        }
    }
    static constexpr bool is_symbol(dim d) {
        return d.is_affine() && d.k == 0 && d.c1 == 1 && d.c2 == 0 && (d.m1 >> 8) == 0;
    }
    static constexpr char letter_of(dim d) { return static_cast<char>(d.m1 & 0xff); }
    [[nodiscard]] constexpr bool upper_known(dim d) const { return upper_bound(d, upper_) >= 0; }
    /// Lower bound: symbols are at least 0 or what checks have told.
    [[nodiscard]] constexpr std::int64_t lower_bound(dim d) const {
        if (d.c1 < 0 || d.c2 < 0 || d.scale < 0) return -(std::int64_t{1} << 62);
        return d.evaluate(lower_);
    }
    constexpr void tighten_upper(char name, std::int64_t value) {
        const int slot = symbol_values::slot(name);
        if (!upper_.bound[slot] || value < upper_.values[slot]) upper_.set(name, value);
    }
    constexpr void tighten_lower(char name, std::int64_t value) {
        const int slot = symbol_values::slot(name);
        if (value > lower_.values[slot]) lower_.set(name, value);
    }
    constexpr void learn(char name, dim value) {
        for (equality& e : equalities_) e.value = substitute(e.value, name, value);
        equalities_.push({name, value});
        if (is_symbol(value)) { // what was known of the one is known of the other
            const int slot = symbol_values::slot(name);
            if (upper_.bound[slot]) tighten_upper(letter_of(value), upper_.values[slot]);
            tighten_lower(letter_of(value), lower_.values[slot]);
        }
        if (value.is_constant()) {
            tighten_upper(name, value.k);
            tighten_lower(name, value.k);
        }
    }
    constexpr void add_guard(const guard& g) {
        for (const guard& known : graph_.guards)
            if (known == g) return;
        graph_.guards.push(g);
    }

    graph graph_;
    growable<equality> equalities_;
    symbol_values upper_;
    symbol_values lower_;
};

} // namespace toroid
