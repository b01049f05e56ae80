#pragma once
// trace: records the graph while a model's operator() runs in constant evaluation; checks on extents.

#include <type_traits>

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

/// Checked class: what `check` takes.
template <class Given> struct check_argument {
    static constexpr bool value = std::is_same_v<Given, condition>;
    static_assert(value, "toroid E010: check: takes a condition such as B <= 64 or equals(B, 64), not a value of type "
                         "Given; B == 64 compares two extents at once and gives a bool");
};

/// What a trace finds wrong with a model. `program` states the first of them; a trace of one's own stops at it.
enum class trace_fault_kind {
    none,
    check_never_holds,   ///< sides and line of the check
    check_contradiction, ///< sides and line of the check
    another_trace,
    output_not_produced, ///< number of the output
    long_label           ///< number of characters
};
struct trace_fault {
    trace_fault_kind kind = trace_fault_kind::none;
    dim lhs;
    dim rhs;
    int number = 0;
};

/// Checked class: instantiated by `program` with what the trace of `Model` found.
template <class Model, trace_fault_kind Kind, dim Lhs, dim Rhs, int Number> struct traced_model {
    static_assert(
        Kind != trace_fault_kind::check_never_holds,
        "toroid E008: check: the check in line Number of Model never holds: its sides are Lhs and Rhs; change "
        "the check or the extents");
    static_assert(Kind != trace_fault_kind::check_contradiction,
                  "toroid E009: check: the check in line Number of Model contradicts an earlier one: its sides are Lhs "
                  "and Rhs; drop one of the two");
    static_assert(Kind != trace_fault_kind::another_trace,
                  "toroid E026: program: Model combines tensors of two traces; use its arguments, its members and the "
                  "trace of one of them only");
    static_assert(
        Kind != trace_fault_kind::output_not_produced,
        "toroid E028: program: output number Number of Model is not produced by its operator(): it is a tensor "
        "that no operation, input or parameter gave a value");
    static_assert(Kind != trace_fault_kind::long_label,
                  "toroid E031: named: a label of Model has Number characters, more than 63");
};

// Reaching one of these in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void toroid_E008_check_fails_for_every_value_of_the_symbols() {
    fault("toroid E008: check fails for every value of the symbols");
}
[[noreturn]] inline void toroid_E009_check_contradicts_an_earlier_check() {
    fault("toroid E009: check contradicts an earlier check");
}
[[noreturn]] inline void toroid_E025_tensor_is_not_bound_to_a_trace_use_model_members_and_arguments_only() {
    fault("toroid E025: tensor is not bound to a trace use model members and arguments only");
}
[[noreturn]] inline void toroid_E026_tensor_belongs_to_another_trace() {
    fault("toroid E026: tensor belongs to another trace");
}
[[noreturn]] inline void toroid_E028_output_is_not_produced_by_the_model() {
    fault("toroid E028: output is not produced by the model");
}

//=== trace ===//

/// Records nodes. A model that needs tensors where it has none at hand takes a leading `trace&` parameter, or asks a
/// tensor: `x.trace()`.
class trace {
public:
    /// With `keep_faults` a fault is kept for `program` to state; else it stops the evaluation.
    constexpr explicit trace(bool keep_faults = false) : keeps_faults_(keep_faults) {
        for (std::int64_t& bound : lower_.values) bound = 0;
    }

    //=== checks ===//

    /// The condition must hold: decided now if it can be (a false one is a compile error), else a guard at entry.
    constexpr void check(condition c, int line = __builtin_LINE()) {
        line_ = line;
        require(c, false);
    }
    template <class Given> constexpr void check(Given) { static_assert(check_argument<Given>::value); }
    /// The program may assume the condition; it is asserted at entry.
    constexpr void expect_true(condition c, int line = __builtin_LINE()) {
        line_ = line;
        require(c, true);
    }

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
        if (statically_known_lt(b, a)) return fail_check(trace_fault_kind::check_never_holds, a, b);
        if (upper_known(b) && lower_bound(a) > upper_bound(b, upper_))
            return fail_check(trace_fault_kind::check_contradiction, a, b);
        if (is_symbol(a) && b.is_constant()) tighten_upper(letter_of(a), b.k);
        if (is_symbol(b) && a.is_constant()) tighten_lower(letter_of(b), a.k);
        add_guard({guard_kind::less_or_equal, assumed, a, b});
    }

    constexpr void check_equals(dim a, dim b, bool assumed = false) {
        a = replace(a);
        b = replace(b);
        if (a == b) return;
        if ((a.is_constant() && b.is_constant()) || statically_known_lt(a, b) || statically_known_lt(b, a))
            return fail_check(trace_fault_kind::check_never_holds, a, b);
        if (b.is_constant() && (lower_bound(a) > b.k || (upper_known(a) && upper_bound(a, upper_) < b.k)))
            return fail_check(trace_fault_kind::check_contradiction, a, b);
        if (a.is_constant() && (lower_bound(b) > a.k || (upper_known(b) && upper_bound(b, upper_) < a.k)))
            return fail_check(trace_fault_kind::check_contradiction, a, b);
        add_guard({guard_kind::equals, assumed, a, b});
        if (is_symbol(a) && !mentions(b, letter_of(a))) learn(letter_of(a), b);
        else if (is_symbol(b) && !mentions(a, letter_of(b))) learn(letter_of(b), a);
    }

    constexpr void check_multiple_of(dim a, dim b, bool assumed = false) {
        a = replace(a);
        if (!b.is_constant() || b.k <= 0) toroid_E007_dim_division_by_zero();
        if (statically_known_multiple_of(a, b.k)) return;
        if (a.is_constant()) return fail_check(trace_fault_kind::check_never_holds, a, b);
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
    /// What is wrong with the model; only a trace that keeps faults has one.
    [[nodiscard]] constexpr const trace_fault& fault() const { return fault_; }
    /// An operation has operands of this trace and of another.
    constexpr void fail_mixed(trace& other) {
        (keeps_faults_ ? *this : other).fail({trace_fault_kind::another_trace, {}, {}, 0});
    }
    /// Keeps the fault if it is the first, or stops at it.
    constexpr void fail(const trace_fault& f) {
        if (!keeps_faults_) stop(f.kind);
        if (fault_.kind == trace_fault_kind::none) fault_ = f;
    }

private:
    struct equality {
        char name = 0;
        dim value;
    };

    static constexpr void stop(trace_fault_kind kind) {
        switch (kind) {
        case trace_fault_kind::none: break;
        case trace_fault_kind::check_never_holds: toroid_E008_check_fails_for_every_value_of_the_symbols();
        case trace_fault_kind::check_contradiction: toroid_E009_check_contradicts_an_earlier_check();
        case trace_fault_kind::another_trace: toroid_E026_tensor_belongs_to_another_trace();
        case trace_fault_kind::output_not_produced: toroid_E028_output_is_not_produced_by_the_model();
        case trace_fault_kind::long_label: toroid_E031_label_is_longer_than_63_characters();
        }
    }
    constexpr void fail_check(trace_fault_kind kind, dim a, dim b) { fail({kind, a, b, line_}); }
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
    trace_fault fault_;
    int line_ = 0; ///< of the last check
    bool keeps_faults_ = false;
};

/// What one evaluation of a trace tells: the sizes of its graph, and what is wrong.
struct trace_summary {
    graph_sizes sizes;
    trace_fault fault;
};
constexpr trace_summary summary_of(const trace& t) { return {sizes_of(t.recorded().view()), t.fault()}; }

} // namespace toroid
