// Symbols and guards before any launch: what the lines at the head of a program do on every backend.

#include <string>

#include <doctest/doctest.h>

#include <toroid/codegen/entry.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

struct two_inputs {
    constexpr auto operator()(tensor<f32, 2 * B, 8> x, tensor<f32, B> y) const {
        x.trace().check(B <= 16);
        return std::tuple(exp(x), y + 1);
    }
};
using head = entry<program<two_inputs>>;
static_assert(wrapper_backend<head, program<two_inputs>>);

head bound(std::int64_t rows, std::int64_t columns, std::int64_t others) {
    head e;
    e.bind_input(0, {nullptr, {rows, columns}});
    e.bind_input(1, {nullptr, {others}});
    return e;
}
std::string refusal(std::int64_t rows, std::int64_t columns, std::int64_t others) {
    try {
        bound(rows, columns, others).run();
    } catch (const error& failure) {
        CHECK(failure.code() == error_code::guard_failed);
        CHECK(failure.line() >= 0);
        return failure.what();
    }
    return "accepted";
}

TEST_CASE("symbols are solved from extents") {
    head e = bound(6, 8, 3);
    e.run();
    CHECK(e.symbols()['B'] == 3);
    CHECK(e.input(1).extents[0] == 3);
}
TEST_CASE("an extent that no symbol gives, a wrong constant, another symbol value, a check") {
    CHECK(refusal(6, 8, 3) == "accepted");
    CHECK(refusal(7, 8, 3).find("input 0 axis 0 has extent 7") == 0);
    CHECK(refusal(6, 9, 3).find("input 0 axis 1 has extent 9, the model wants 8") == 0);
    CHECK(refusal(6, 8, 4).find("input 1 axis 0 has extent 4, the model wants B = 3") == 0);
    CHECK(refusal(34, 8, 17).find("the model checks B (= 17) <= 16, which does not hold") == 0);
}

} // namespace
} // namespace toroid::tests
