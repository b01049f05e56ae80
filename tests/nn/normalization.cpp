// layer_norm and rms_norm: extents, dtypes, and the two-pass formula.

#include <toroid/nn/normalization.hpp>

#include <doctest/doctest.h>

#include "../expr/recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::records;

namespace {

constexpr dim B = symbol('B');
constexpr dim N = symbol('N');
template <dtype T> constexpr tensor<T, B, N> x{};
template <dtype T> constexpr tensor<T, N> w{};

static_assert(gives<decltype(layer_norm(x<f32>)), f32, B, N> && gives<decltype(layer_norm(x<f16>)), f16, B, N> &&
              gives<decltype(layer_norm(x<i32>)), f32, B, N>);
static_assert(gives<decltype(layer_norm(x<f32>, w<f32>, w<f32>)), f32, B, N> &&
              gives<decltype(layer_norm(x<bf16>, w<bf16>, w<bf16>, 1e-3)), bf16, B, N>);
static_assert(gives<decltype(rms_norm(x<f32>)), f32, B, N> && gives<decltype(rms_norm(x<bf16>, 1e-3)), bf16, B, N> &&
              gives<decltype(rms_norm(x<f16>, w<f32>)), f32, B, N>);
static_assert(gives<decltype(layer_norm(tensor<f32, 2, 3, 4>{})), f32, 2, 3, 4> &&
              gives<decltype(rms_norm(w<f32>)), f32, N>);

//=== the variance is the population's, over the last axis ===//

struct normalized {
    constexpr auto operator()(tensor<f32, B, 4> a) const { return layer_norm(a, 0.5); }
};
constexpr const char* text = "0 input f32[B,4] 'input0'\n"
                             "1 mean f32[B,1] 0 (2)\n"
                             "2 expand f32[B,4] 1\n"
                             "3 sub f32[B,4] 0 2\n"
                             "4 var f32[B,1] 0 (2)\n"
                             "5 constant f32[B,1] #0.5\n"
                             "6 add f32[B,1] 4 5\n"
                             "7 rsqrt f32[B,1] 6\n"
                             "8 expand f32[B,4] 7\n"
                             "9 mul f32[B,4] 3 8\n"
                             "-> 9";
static_assert(records<normalized>(text));

struct scaled {
    constexpr auto operator()(tensor<f32, B, 4> a, tensor<f32, 4> weight) const { return rms_norm(a, weight, 0.5); }
};
static_assert(records<scaled>("0 input f32[B,4] 'input0'\n"
                              "1 input f32[4] 'input1'\n"
                              "2 mul f32[B,4] 0 0\n"
                              "3 mean f32[B,1] 2 (2)\n"
                              "4 constant f32[B,1] #0.5\n"
                              "5 add f32[B,1] 3 4\n"
                              "6 rsqrt f32[B,1] 5\n"
                              "7 expand f32[B,4] 6\n"
                              "8 mul f32[B,4] 0 7\n"
                              "9 expand f32[B,4] 1\n"
                              "10 mul f32[B,4] 8 9\n"
                              "-> 10"));

} // namespace

TEST_CASE("layer_norm records its formula") { CHECK(test_expr::recording<normalized>() == text); }
