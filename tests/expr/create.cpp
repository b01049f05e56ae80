// Creation: constants of every category, counting, and the *_like forms.

#include <toroid/expr/create.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');

//=== types ===//

static_assert(gives<decltype(std::declval<trace&>().full<f32, N, 3>(0)), f32, N, 3>);
static_assert(gives<decltype(std::declval<trace&>().arange<i32, N>()), i32, N> &&
              gives<decltype(std::declval<trace&>().full<boolean>(1)), boolean>);
static_assert(gives<decltype(zeros_like(tensor<f16, N, 2>{})), f16, N, 2> &&
              gives<decltype(full_like(tensor<i8, 4>{}, 7)), i8, 4>);
static_assert(gives<decltype(ones_like(tensor<boolean>{})), boolean>);

//=== a tensor needs no input: a leading trace makes it ===//

struct filled {
    constexpr auto operator()(trace& t) const {
        return std::tuple{t.full<f32, 2, 3>(-0.5), t.full<i64>(7), t.full<boolean, 2>(3.0)};
    }
};
constexpr const char* filled_text = "0 constant f32[2,3] #-0.5\n"
                                    "1 constant i64[] #7\n"
                                    "2 constant bool[2] #1\n"
                                    "-> 0 1 2";
static_assert(records<filled>(filled_text));

struct counting {
    constexpr auto operator()(trace& t, tensor<f32, N> x) const {
        return std::tuple{t.arange<i64, N>(), t.arange<f32, 4>(2, 0.5), zeros_like(x), ones_like(to_dtype<i32>(x))};
    }
};
static_assert(records<counting>("0 input f32[N] 'input0'\n"
                                "1 iota i64[N]\n"
                                "2 iota i64[4]\n"
                                "3 to_dtype f32[4] 2\n"
                                "4 constant f32[4] #0.5\n"
                                "5 mul f32[4] 3 4\n"
                                "6 constant f32[4] #2\n"
                                "7 add f32[4] 5 6\n"
                                "8 constant f32[N] #0\n"
                                "9 to_dtype i32[N] 0\n"
                                "10 constant i32[N] #1\n"
                                "-> 1 7 8 10"));

} // namespace

TEST_CASE("creation records constants and counters") { CHECK(recording<filled>() == filled_text); }

TEST_CASE("an integer beyond 2^53 is filled in exactly") {
    std::int64_t large = 9007199254740993;
    trace t;
    const auto x = t.full<i64, 2>(large);
    CHECK(t.recorded().nodes[x.id].payload == large);
    CHECK(t.recorded().nodes[full_like(x, large).id].payload == large);
}
