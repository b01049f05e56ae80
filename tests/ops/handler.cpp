// ops_handler: a handler names every operation once, as an override or as a default.

#include <toroid/ops/handler.hpp>

#include <doctest/doctest.h>

using namespace toroid;

namespace {

constexpr int all_but_exp = pointwise_count - 1;
template <int Count> struct op_array {
    op list[Count] = {};
    constexpr const op* begin() const { return list; }
    constexpr const op* end() const { return list + Count; }
};
constexpr auto every_op_except(op left_out) {
    op_array<all_but_exp> result;
    int n = 0;
    for (int i = 0; i < pointwise_count; ++i)
        if (static_cast<op>(i) != left_out) result.list[n++] = static_cast<op>(i);
    return result;
}
constexpr auto every_op() {
    op_array<pointwise_count> result;
    for (int i = 0; i < pointwise_count; ++i) result.list[i] = static_cast<op>(i);
    return result;
}

//=== complete: one override, the default for the rest ===//

struct overriding {
    template <op O> struct override_for;
    static constexpr auto defaults = every_op_except(op::exp);
};
template <> struct overriding::override_for<op::exp> {
    template <class T> static constexpr T apply(T x) { return x + T(1000); }
};
struct defaulting {
    template <op O> struct override_for;
    static constexpr auto defaults = every_op();
};
static_assert(ops_handler<overriding> && ops_handler<defaulting>);
static_assert(check_ops_handler<overriding>() && check_ops_handler<defaulting>());

//=== incomplete: exp in neither place; ambiguous: exp in both ===//

struct forgetful {
    template <op O> struct override_for;
    static constexpr auto defaults = every_op_except(op::exp);
};
struct repeating {
    template <op O> struct override_for;
    static constexpr auto defaults = every_op();
};
template <> struct repeating::override_for<op::exp> {
    template <class T> static constexpr T apply(T x) { return x; }
};
static_assert(!ops_handler<forgetful> && !ops_handler<repeating>);
static_assert(!overrides_op<forgetful, op::exp> && !takes_default<forgetful>(op::exp) &&
              takes_default<forgetful>(op::log));
static_assert(overrides_op<repeating, op::exp> && takes_default<repeating>(op::exp));

// A plain array, as backends write it.
struct with_plain_array {
    template <op O> struct override_for;
    static constexpr op defaults[] = {op::add, op::mul};
};
static_assert(takes_default<with_plain_array>(op::mul) && !takes_default<with_plain_array>(op::sub) &&
              !ops_handler<with_plain_array>);

//=== handled: the override where there is one ===//

static_assert(handled<overriding, op::exp>::apply(1.0f) == 1001.0f &&
              handled<overriding, op::neg>::apply(1.0f) == -1.0f);
static_assert(handled<defaulting, op::exp>::apply(0.0f) == 1.0f &&
              handled<overriding, op::where>::apply(true, 1, 2) == 1);

} // namespace

TEST_CASE("a handler's override replaces the formula") {
    CHECK(handled<overriding, op::exp>::apply(1.0f) == 1001.0f);
    CHECK(handled<defaulting, op::exp>::apply(0.0f) == 1.0f);
    CHECK_FALSE(ops_handler<forgetful>);
    CHECK_FALSE(ops_handler<repeating>);
}
