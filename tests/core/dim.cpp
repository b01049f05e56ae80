// Extents: canonical forms, composition of floors, exact division, static knowledge, and random forms against integers.

#include <toroid/core/dim.hpp>

#include <cstdint>
#include <random>
#include <stdexcept>

#include <doctest/doctest.h>

using toroid::dim;
using toroid::symbol;
using toroid::symbol_values;

namespace {

constexpr dim A = symbol('A');
constexpr dim B = symbol('B');
constexpr dim M = symbol('M');
constexpr dim N = symbol('N');
constexpr dim S = symbol('s');

//=== one value has one spelling, whatever the order in which it was written ===//

static_assert(dim(2) + dim(3) == dim(5) && dim(2) * dim(-3) == dim(-6) && dim() == dim(0));
static_assert(N + M == M + N && N * M == M * N && (N + 1) * M == M * N + M);
static_assert(N + N == 2 * N && N - N == dim(0) && 0 * N == dim(0) && N + 0 == N && 1 * N == N);
static_assert((N + M) - M == N && (N + M) - N == M && (N + M) - (M + N) == dim(0));
static_assert((N + 1) * (N - 1) == N * N - 1 && (A + B) * (A - B) == A * A - B * B);
static_assert(N != M && N != symbol('n') && N + 1 != N && 2 * N != N * N);
static_assert(-(-N) == N && -(N - M) == M - N);

// A cancelled symbol leaves no trace in the members.
static_assert((N - N + 4).is_constant() && (N - N + 4).m1 == 0 && (N - N + 4).constant() == 4);
static_assert((M + N - M).m2 == 0 && (M + N - M).c2 == 0);

// Three terms may meet on the way to a sum of two.
static bool sums_do_not_depend_on_the_order_of_terms() {
    return (M + N) + (A - N) == A + M && (A - N) + (M + N) == A + M && (A + B) - (B - N) == A + N;
}

//=== floors: whole parts leave the fraction, common factors cancel, nested floors become one ===//

static_assert(dim(-7) / 2 == dim(-4) && dim(7) / 2 == dim(3)); // towards minus infinity
static_assert((2 * N) / 2 == N && (2 * N + 1) / 2 == N && (4 * N + 2) / 4 == (2 * N + 1) / 2);
static_assert((N + 2) / 2 == N / 2 + 1 && (N + 5) / 2 == (N + 1) / 2 + 2 && (N - 1) / 2 == (N + 1) / 2 - 1);
static_assert((N / 2) / 3 == N / 6 && ((N + 1) / 2 + 1) / 2 == (N + 3) / 4);
static_assert((2 * (N / 2)) / 2 == N / 2 && (4 * (N / 2)) / 8 == N / 4);
static_assert((4 * (N / 2) + 6) / 8 == (N / 2 + 1) / 2); // the rest of the offset is floored away
static_assert(N / 2 + N == (3 * N) / 2 && N + N / 2 == (3 * N) / 2);
static_assert(N / 2 + N / 2 == 2 * (N / 2) && N / 2 - N / 2 == dim(0) && (N / 2) * 0 == dim(0));
static_assert((N / 2).is_affine() == false && (N / 1).is_affine() && ceil_div(N, 2) == (N + 1) / 2);
static_assert(ceil_div(dim(7), 2) == dim(4) && ceil_div(dim(-7), 2) == dim(-3) && ceil_div(2 * N, 2) == N);
// Strided convolution after strided convolution: (N - 3) / 2 + 1, twice.
static_assert(((N - 3) / 2 + 1 - 3) / 2 + 1 == (N - 7) / 4 + 1);

// A negated floor is the floor of the negated numerator, rounded up.
static bool negated_floors_have_one_spelling() { return -(N / 2) == (1 - N) / 2 && dim(3) - N / 2 == (7 - N) / 2; }

//=== evaluation ===//

static_assert((8 * N + 1).evaluate({{'N', 3}}) == 25 && (N * M).evaluate({{'M', 5}, {'N', 3}}) == 15);
static_assert((N / 2).evaluate({{'N', 7}}) == 3 && (2 * (N / 2) + 1).evaluate({{'N', 7}}) == 7);
static_assert(((N - 7) / 4).evaluate({{'N', 0}}) == -2 && S.evaluate({{'s', 9}}) == 9 && dim(4).evaluate({}) == 4);
static_assert(symbol_values::slot('A') == 0 && symbol_values::slot('z') == 51 && symbol_values::slot('1') == -1);
static_assert(symbol_values::letter(symbol_values::slot('Q')) == 'Q' &&
              symbol_values::letter(symbol_values::slot('q')) == 'q');
static_assert(symbol_values({{'N', 3}}).bound[symbol_values::slot('N')] &&
              !symbol_values().bound[symbol_values::slot('N')]);

//=== exact division ===//

constexpr bool divides(dim a, dim b, dim quotient) {
    const toroid::dim_quotient q = divide_exactly(a, b);
    return q.exact && q.value == quotient;
}
constexpr bool does_not_divide(dim a, dim b) { return !divide_exactly(a, b).exact; }

static_assert(divides(12, 4, 3) && divides(-12, 4, -3) && does_not_divide(12, 5) && divides(0, 7, 0));
static_assert(does_not_divide(5, 0) && does_not_divide(0, 0) && does_not_divide(N, 0));
static_assert(divides(8 * B * S, 4 * S, 2 * B) && divides(8 * N, 8, N) && does_not_divide(B, 8) &&
              does_not_divide(8 * N + 4, 8));
static_assert(divides(N * N, N, N) && divides(N * M + N, N, M + 1));
static_assert(divides(N, N, 1) && divides(N / 2, N / 2, 1) && divides(4 * (N / 2), 2, 2 * (N / 2)));
static_assert(does_not_divide(N, M) && does_not_divide(N * M + 1, N) && does_not_divide(2 * N, 4 * N));
static_assert(divides(2 * N + 2, N + 1, 2) && divides(0, N + 1, 0) && does_not_divide(2 * N + 1, N + 1));

static bool a_common_monomial_divides_out() {
    return divides(B * N + B * M, N + M, B) && divides(B * N + B, N + 1, B) && divides(B * N + B * M, B, N + M);
}

//=== what is known for all non-negative symbols ===//

using toroid::statically_known_equals;
using toroid::statically_known_leq;
using toroid::statically_known_lt;
using toroid::statically_known_multiple_of;

static_assert(statically_known_leq(3, 3) && !statically_known_leq(4, 3) && statically_known_lt(3, 4) &&
              !statically_known_lt(3, 3));
static_assert(statically_known_leq(N, N + 1) && statically_known_leq(N, 2 * N) && statically_known_leq(0, N));
static_assert(!statically_known_leq(1, N) && !statically_known_leq(N, 64) && !statically_known_leq(N, M));
static_assert(statically_known_leq(N, N + M) && statically_known_leq(M, N + M) && !statically_known_leq(N + M, N));
static_assert(statically_known_lt(N, N + 1) && !statically_known_lt(N, 2 * N)); // N may be 0
static_assert(statically_known_leq(N - 3, N) && statically_known_leq(-N, 0) && !statically_known_leq(N, N* N));
static_assert(statically_known_leq(N / 2, N / 2) && !statically_known_leq(N / 2, 5));
static_assert(statically_known_equals(N + N, 2 * N) && !statically_known_equals(N, M));
static_assert(statically_known_multiple_of(8 * N, 8) && !statically_known_multiple_of(8 * N + 4, 8));
static_assert(statically_known_multiple_of(8 * (N / 2), 4) && !statically_known_multiple_of(N / 2, 2));
static_assert(statically_known_multiple_of(12, 4) && !statically_known_multiple_of(13, 4));

//=== bounds ===//

using toroid::upper_bound;
static_assert(upper_bound(8 * N + 1, {{'N', 64}}) == 513 && upper_bound(dim(7), {}) == 7);
static_assert(upper_bound(N, {}) == -1 && upper_bound(N + M, {{'N', 64}}) == -1);
static_assert(upper_bound(10 - N, {{'N', 64}}) == 10 && upper_bound(M - N, {{'N', 64}, {'M', 5}}) == 5);
static_assert(upper_bound(N / 2, {{'N', 65}}) == 32 && upper_bound(10 - N / 2, {{'N', 64}}) == 10);

//=== substitution ===//

using toroid::mentions;
using toroid::substitute;
static_assert(mentions(N * M, 'N') && mentions(M + N, 'N') && !mentions(M, 'N') && !mentions(dim(3), 'N') &&
              mentions(N / 2, 'N'));
static_assert(substitute(N, 'N', 4) == dim(4) && substitute(2 * N + M, 'N', M) == 3 * M && substitute(M, 'N', 4) == M);
static_assert(substitute(N * N, 'N', M + 1) == M * M + 2 * M + 1);
static_assert(substitute((N + 1) / 2, 'N', 2 * M) == M && substitute(3 * (N / 2) + 1, 'N', 4) == dim(7));

} // namespace

TEST_CASE("sums do not depend on the order of their terms") { CHECK(sums_do_not_depend_on_the_order_of_terms()); }

TEST_CASE("a negated floor has one spelling") { CHECK(negated_floors_have_one_spelling()); }

TEST_CASE("exact division finds a common monomial") { CHECK(a_common_monomial_divides_out()); }

TEST_CASE("faults carry their reason at run time") {
    CHECK_THROWS_WITH_AS(symbol('1'), "toroid E005: symbol must be one letter", std::logic_error);
    CHECK_THROWS_WITH_AS(N / 0, "toroid E007: dim division by zero", std::logic_error);
    CHECK_THROWS_AS(N / 2 + M / 3, std::logic_error);
    CHECK_THROWS_AS(A + B + N, std::logic_error);
    CHECK_THROWS_AS((N * N * N * N) * (N * N * N * N) * N, std::logic_error);
    CHECK((N * N * N * N) * (N * N * N * N) != dim(0));
}

TEST_CASE("random forms evaluate as plain integers do") {
    // The same random expression is built as a dim and computed with integers at several points. An expression may leave
    // the form, which throws; it must never have another value.
    std::mt19937 random(1);
    const auto pick = [&](int low, int high) {
        return static_cast<int>(random() % static_cast<unsigned>(high - low + 1)) + low;
    };
    constexpr int points = 6;
    const char letters[] = {'A', 'M', 'N', 's'};
    int kept = 0;
    int left = 0;
    int wrong_values = 0;
    int wrong_bounds = 0;
    for (int round = 0; round < 20000; ++round) {
        symbol_values at[points];
        for (symbol_values& v : at)
            for (const char letter : letters) v.set(letter, pick(0, 12));
        dim d = symbol(letters[pick(0, 3)]);
        std::int64_t expected[points];
        for (int p = 0; p < points; ++p) expected[p] = d.evaluate(at[p]);
        try {
            for (int step = 0; step < 5; ++step) {
                const int number = pick(-6, 6);
                const char letter = letters[pick(0, 3)];
                const auto each = [&](auto f) {
                    for (int p = 0; p < points; ++p) expected[p] = f(expected[p], at[p][letter]);
                };
                switch (pick(0, 6)) {
                case 0:
                    d = d + number;
                    each([&](auto x, auto) { return x + number; });
                    break;
                case 1:
                    d = d * number;
                    each([&](auto x, auto) { return x * number; });
                    break;
                case 2:
                    d = d + symbol(letter);
                    each([](auto x, auto s) { return x + s; });
                    break;
                case 3:
                    d = symbol(letter) - d;
                    each([](auto x, auto s) { return s - x; });
                    break;
                case 4:
                    d = d * symbol(letter);
                    each([](auto x, auto s) { return x * s; });
                    break;
                default: {
                    const int divisor = pick(1, 5);
                    d = d / divisor;
                    each([&](auto x, auto) { return (x - ((x % divisor) + divisor) % divisor) / divisor; });
                }
                }
            }
        } catch (const std::logic_error&) {
            ++left;
            continue;
        }
        ++kept;
        bool same = true;
        std::int64_t largest = d.evaluate(at[0]);
        symbol_values bounds;
        for (const char letter : letters) bounds.set(letter, 12);
        for (int p = 0; p < points; ++p) {
            same = same && d.evaluate(at[p]) == expected[p];
            largest = d.evaluate(at[p]) > largest ? d.evaluate(at[p]) : largest;
            // Replacing a symbol by its value and then evaluating is evaluating.
            try {
                same = same && substitute(d, 'N', at[p]['N']).evaluate(at[p]) == expected[p];
            } catch (const std::logic_error&) {}
            // Knowledge holds at every point.
            if (statically_known_leq(d, 5)) same = same && expected[p] <= 5;
            if (statically_known_lt(0, d)) same = same && expected[p] > 0;
            if (statically_known_multiple_of(d, 3)) same = same && expected[p] % 3 == 0;
            const toroid::dim_quotient q = divide_exactly(d, symbol('N'));
            if (q.exact) same = same && q.value.evaluate(at[p]) * at[p]['N'] == expected[p];
        }
        wrong_values += !same;
        wrong_bounds += upper_bound(d, bounds) < largest;
    }
    CHECK(wrong_values == 0);
    CHECK(wrong_bounds == 0);
    CHECK(kept > 5000);
    CHECK(left > 0);
}

TEST_CASE("bounds hold for negated floors") {
    // 0 - floor((1 - N) / 2) is ceil((N - 1) / 2): 5 at N = 10.
    const dim rising = 0 - (1 - N) / 2;
    REQUIRE(rising.evaluate({{'N', 10}}) == 5);
    CHECK(upper_bound(rising, {{'N', 10}}) >= 5);
}
