// Activations are compositions: their dtypes, their nodes, and that no scalar widens a half.

#include <toroid/nn/activation.hpp>

#include <doctest/doctest.h>

#include "../expr/recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');
template <dtype T> constexpr tensor<T, N, 4> x{};

//=== the dtype stays; integers become f32 where the formula is floating ===//

template <dtype T, dtype R> constexpr bool keeps() {
    return gives<decltype(gelu(x<T>)), R, N, 4> && gives<decltype(gelu_tanh(x<T>)), R, N, 4> &&
           gives<decltype(silu(x<T>)), R, N, 4> && gives<decltype(softplus(x<T>)), R, N, 4> &&
           gives<decltype(elu(x<T>)), R, N, 4> && gives<decltype(leaky_relu(x<T>)), R, N, 4>;
}
static_assert(keeps<f16, f16>() && keeps<bf16, bf16>() && keeps<f32, f32>() && keeps<f64, f64>() && keeps<i32, f32>() &&
              keeps<u8, f32>());
static_assert(gives<decltype(clamp(x<f16>, 0.0, 1.0)), f16, N, 4> && gives<decltype(clamp(x<i8>, 0, 100)), i8, N, 4> &&
              gives<decltype(clamp(x<i32>, 0, 0.5)), f32, N, 4>);

//=== the formulas ===//

struct gated {
    constexpr auto operator()(tensor<f32, 2> a) const { return silu(a); }
};
static_assert(records<gated>("0 input f32[2] 'input0'\n"
                             "1 sigmoid f32[2] 0\n"
                             "2 mul f32[2] 0 1\n"
                             "-> 2"));

// The upper limit comes last, so that it wins when the limits cross.
struct clamped {
    constexpr auto operator()(tensor<f32, 2> a) const { return clamp(a, -1, 1); }
};
static_assert(records<clamped>("0 input f32[2] 'input0'\n"
                               "1 constant f32[2] #-1\n"
                               "2 maximum f32[2] 0 1\n"
                               "3 constant f32[2] #1\n"
                               "4 minimum f32[2] 2 3\n"
                               "-> 4"));

struct leaking {
    constexpr auto operator()(tensor<f32, 2> a) const { return leaky_relu(a, 0.25); }
};
constexpr const char* leaking_text = "0 input f32[2] 'input0'\n"
                                     "1 constant f32[2] #0\n"
                                     "2 gt bool[2] 0 1\n"
                                     "3 constant f32[2] #0.25\n"
                                     "4 mul f32[2] 3 0\n"
                                     "5 where f32[2] 2 0 4\n"
                                     "-> 5";
static_assert(records<leaking>(leaking_text));

struct softened {
    constexpr auto operator()(tensor<f32, 2> a) const { return softplus(a); }
};
static_assert(records<softened>("0 input f32[2] 'input0'\n"
                                "1 relu f32[2] 0\n"
                                "2 abs f32[2] 0\n"
                                "3 neg f32[2] 2\n"
                                "4 exp f32[2] 3\n"
                                "5 log1p f32[2] 4\n"
                                "6 add f32[2] 1 5\n"
                                "-> 6"));

} // namespace

TEST_CASE("activations record no casts of a half") {
    trace t;
    const auto a = detail::record<tensor<f16, 3>>(t, op::input);
    gelu(a);
    gelu_tanh(a);
    elu(a, 2.0);
    for (const node& n : t.recorded().nodes) {
        CHECK(n.code != op::to_dtype);
        CHECK((n.type == f16 || n.type == boolean));
    }
}
