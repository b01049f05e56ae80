// Values of symbols by letter.

#include <toroid/core/symbol.hpp>

#include <doctest/doctest.h>

using namespace toroid;

static_assert(symbol_values::slot('A') == 0 && symbol_values::slot('Z') == 25 && symbol_values::slot('a') == 26 &&
              symbol_values::slot('z') == 51 && symbol_values::slot('1') == -1);
static_assert(symbol_values{{'B', 3}}['B'] == 3 && symbol_values{{'B', 3}}.bound[symbol_values::slot('B')] &&
              !symbol_values{{'B', 3}}.bound[symbol_values::slot('b')]);

TEST_CASE("every letter has a slot of its own, and its slot names it") {
    for (int slot = 0; slot < 52; ++slot) CHECK(symbol_values::slot(symbol_values::letter(slot)) == slot);
}

TEST_CASE("a symbol that is no letter is refused at run time too") {
    symbol_values values;
    CHECK_THROWS_WITH(values.set('1', 3), "toroid E005: symbol must be one letter");
    CHECK_THROWS_WITH(values.set('*', 3), "toroid E005: symbol must be one letter");
}
