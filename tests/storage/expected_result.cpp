// A value or an error, for callers without exceptions.

#include <memory>

#include <doctest/doctest.h>

#include <toroid/storage/expected_result.hpp>

namespace toroid::tests {
namespace {

TEST_CASE("a value") {
    expected_result<std::unique_ptr<int>> result(std::make_unique<int>(7));
    CHECK(result.has_value());
    CHECK(static_cast<bool>(result));
    CHECK(*result.value() == 7);
}
TEST_CASE("an error keeps its code and line, and value() throws it") {
    expected_result<int> result(error(error_code::guard_failed, "B is odd", 3));
    CHECK_FALSE(result);
    CHECK(result.failure().code() == error_code::guard_failed);
    CHECK(result.failure().line() == 3);
    CHECK_THROWS_WITH_AS(static_cast<void>(result.value()), "B is odd", error);
}

} // namespace
} // namespace toroid::tests
