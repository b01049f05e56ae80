// A fault throws at run time and stops constant evaluation.

#include <toroid/core/fault.hpp>

#include <stdexcept>
#include <type_traits>

#include <doctest/doctest.h>

namespace {

constexpr int half_of(int x) {
    if (x % 2 != 0) toroid::fault("x is odd");
    return x / 2;
}

template <auto F>
concept constant = requires { typename std::bool_constant<(F(), true)>; };

static_assert(half_of(8) == 4);
static_assert(constant<[] { return half_of(8); }>);
static_assert(!constant<[] { return half_of(7); }>);

} // namespace

TEST_CASE("a fault that is reached at run time throws its message") {
    CHECK_THROWS_WITH_AS(half_of(7), "x is odd", std::logic_error);
    CHECK(half_of(8) == 4);
}
