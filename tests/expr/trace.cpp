// Checks on extents: decided when they can be, a guard when not, an error when they cannot hold.

#include <toroid/expr/trace.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::constant;

namespace {

constexpr dim B = symbol('B');
constexpr dim N = symbol('N');
constexpr dim S = symbol('S');

/// Number of guards after checking all conditions in order.
constexpr int guards(std::initializer_list<condition> conditions) {
    trace t;
    for (const condition& c : conditions) t.check(c);
    return t.recorded().guards.size();
}
/// The only guard after one check.
constexpr guard guard_of(condition c) {
    trace t;
    t.check(c);
    return t.recorded().guards.size() == 1 ? t.recorded().guards[0] : guard{};
}

//=== relations say what they read ===//

static_assert((B < 5).kind == guard_kind::less && (B <= 5).kind == guard_kind::less_or_equal && (B > 5).lhs == dim(5) &&
              (B >= 5).rhs == B);
static_assert(equals(B, N).kind == guard_kind::equals && multiple_of(B, 8).kind == guard_kind::multiple_of);

//=== decided now: no guard ===//

static_assert(guards({dim(3) <= dim(3), dim(2) < dim(3), equals(4, 4), multiple_of(12, 4)}) == 0);
static_assert(guards({dim(0) <= N, N <= N, N < N + 1, N <= N + S, N <= 2 * N, equals(N + N, 2 * N),
                      multiple_of(8 * N, 4), N >= 0}) == 0);
static_assert(guards({}) == 0);

//=== not decided: one guard, in a normal form ===//

static_assert(guard_of(B <= 64) == guard{guard_kind::less_or_equal, false, B, 64} &&
              guard_of(B < 64) == guard{guard_kind::less_or_equal, false, B + 1, 64});
static_assert(guard_of(B > 3) == guard{guard_kind::less_or_equal, false, 4, B} &&
              guard_of(equals(B, N)) == guard{guard_kind::equals, false, B, N});
static_assert(guard_of(multiple_of(N, 8)) == guard{guard_kind::multiple_of, false, N, 8} &&
              guard_of(N <= S) == guard{guard_kind::less_or_equal, false, N, S});

//=== what is known is not asked again ===//

static_assert(guards({B <= 64, B <= 64, B <= 128, B < 65, B <= 64 + N}) == 1);
static_assert(guards({B <= 64, B <= 32}) == 2 && guards({B >= 2, B >= 1, B > 1, B >= 3}) == 2);
static_assert(guards({B <= 64, 2 * B + 1 <= 129, B <= N + 64}) == 1 && guards({B >= 4, N + B >= 4}) == 1);
static_assert(guards({equals(B, N), equals(N, B), equals(2 * B, N + N), B <= N}) == 1);
static_assert(guards({equals(B, 64), B <= 64, B >= 64, equals(B, 64), multiple_of(B, 8), equals(2 * B, 128)}) == 1);
static_assert(guards({multiple_of(N, 8), multiple_of(N, 8)}) == 1);

//=== assumptions are guards that say so ===//

constexpr bool assumes() {
    trace t;
    t.expect_true(B <= 64);
    t.check(B <= 64); // follows
    return t.recorded().guards.size() == 1 && t.recorded().guards[0] == guard{guard_kind::less_or_equal, true, B, 64};
}
static_assert(assumes());

//=== replace applies equalities, through chains and inside forms ===//

constexpr bool replaces() {
    trace t;
    t.check(equals(B, 2 * N));
    if (!(t.replace(B) == 2 * N) || !(t.replace(B + 1) == 2 * N + 1) || !(t.replace(B / 2) == N) ||
        !(t.replace(S) == S))
        return false;
    t.check(equals(N, 8));
    return t.replace(B) == dim(16) && t.replace(N) == dim(8) && t.statically_known_equals(B, 2 * N) &&
           t.statically_known_leq(B, 16) && t.statically_known_lt(N, B) && !t.statically_known_leq(S, 16) &&
           t.recorded().guards.size() == 2;
}
static_assert(replaces());

// An equality of two symbols joins what is known about both.
constexpr bool follows_chains() {
    trace t;
    t.check(equals(B, N));
    t.check(equals(N, S));
    return t.replace(B) == t.replace(S) && t.replace(N) == t.replace(S) && t.statically_known_equals(B, S);
}
static_assert(follows_chains());

// statically_known_* never adds a guard.
constexpr bool asking_adds_nothing() {
    trace t;
    const bool known = t.statically_known_leq(B, 64) || t.statically_known_equals(B, N) || t.statically_known_lt(B, 64);
    return !known && t.recorded().guards.empty();
}
static_assert(asking_adds_nothing());

//=== never true: not a constant expression ===//

template <condition... C> constexpr bool check_all() {
    trace t;
    (t.check(C), ...);
    return true;
}
static_assert(constant<check_all<equals(B, 64), B <= 64>>);
static_assert(!constant<check_all<dim(4) <= dim(3)>> && !constant<check_all<equals(3, 4)>> &&
              !constant<check_all<multiple_of(12, 5)>>);
static_assert(!constant < check_all<N<N>> && !constant<check_all<N + 1 <= N>> &&
              !constant<check_all<equals(N, N + 1)>>);

//=== contradictions with an earlier check ===//

static_assert(!constant<check_all<B <= 64, B >= 65>> && !constant<check_all<B >= 65, B <= 64>> &&
              constant<check_all<B <= 64, B >= 64>>);
static_assert(!constant<check_all<B <= 64, equals(B, 65)>> && !constant<check_all<B >= 3, equals(B, 2)>> &&
              !constant<check_all<B >= 3, equals(2, B)>>);
static_assert(!constant<check_all<equals(B, 4), equals(B, 5)>> &&
              !constant<check_all<equals(B, N), equals(B, 4), equals(N, 5)>>);
static_assert(!constant<check_all<equals(B, 4), B <= 3>> && !constant<check_all<equals(B, 4), multiple_of(B, 8)>>);
static_assert(!constant<check_all<B <= 64, 2 * B >= 130>>);

//=== a trace that keeps faults ===//

constexpr trace_fault kept(condition first, condition second) {
    trace t(true);
    t.check(first);
    t.check(second, 7);
    return t.fault();
}
static_assert(kept(B <= 64, B >= 64).kind == trace_fault_kind::none);
static_assert(kept(B <= 64, B >= 65).kind == trace_fault_kind::check_contradiction);
static_assert(kept(B <= 64, B >= 65).lhs == dim(65) && kept(B <= 64, B >= 65).rhs == B);
static_assert(kept(B <= 64, B >= 65).number == 7, "the line of the check");
static_assert(kept(N + 1 <= N, B >= 65).kind == trace_fault_kind::check_never_holds, "the first is kept");

} // namespace

TEST_CASE("a check that cannot hold names its reason") {
    CHECK_THROWS_WITH_AS((check_all<dim(4) <= dim(3)>()), "toroid E008: check fails for every value of the symbols",
                         std::logic_error);
    CHECK_THROWS_WITH_AS((check_all<B <= 64, B >= 65>()), "toroid E009: check contradicts an earlier check",
                         std::logic_error);
    CHECK_THROWS_WITH_AS((check_all<multiple_of(B, 0)>()), "toroid E007: dim division by zero", std::logic_error);
}

TEST_CASE("an equality of symbols keeps the bounds of both") {
    // B <= 64 and B == S bound S.
    CHECK(guards({B <= 64, equals(B, S), S <= 64}) == 2);
    CHECK_FALSE(constant<check_all<B <= 64, equals(B, S), S >= 65>>);
    CHECK_FALSE(constant<check_all<B >= 3, equals(B, S), S <= 2>>);
}

TEST_CASE("an equality with a multiple is not learned twice over") {
    // 2*B == N gives N; substituting must not make a guard refer to itself.
    trace t;
    t.check(equals(2 * B, N));
    CHECK(t.replace(N) == 2 * B);
    t.check(equals(N, B + B));
    CHECK(t.recorded().guards.size() == 1);
}
