// The run-time error: message, reason and line survive the throw.

#include <toroid/core/error.hpp>

#include <exception>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

static_assert(std::is_base_of_v<std::runtime_error, toroid::error>);
static_assert(std::is_nothrow_copy_constructible_v<toroid::error>);

TEST_CASE("an error tells what, why and where") {
    try {
        throw toroid::error(toroid::error_code::guard_failed, "B = 65 is larger than 64", 3);
    } catch (const std::exception& caught) {
        const auto* e = dynamic_cast<const toroid::error*>(&caught);
        REQUIRE(e != nullptr);
        CHECK(std::string(e->what()) == "B = 65 is larger than 64");
        CHECK(e->code() == toroid::error_code::guard_failed);
        CHECK(e->line() == 3);
    }
    CHECK(toroid::error(toroid::error_code::io_error, "x").line() == -1);
}
