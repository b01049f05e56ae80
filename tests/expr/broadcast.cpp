// Broadcasting: NumPy's rule, on constants and on symbols, and what it records.

#include <toroid/expr/broadcast.hpp>

#include <toroid/expr/pointwise.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');

template <class A, class B> using sum_of = decltype(A{} + B{});

//=== two operands ===//

static_assert(gives<sum_of<tensor<f32, 2, 3>, tensor<f32, 2, 3>>, f32, 2, 3>);
static_assert(gives<sum_of<tensor<f32, 2, 3>, tensor<f32, 3>>, f32, 2, 3> &&
              gives<sum_of<tensor<f32, 3>, tensor<f32, 2, 3>>, f32, 2, 3>);
static_assert(gives<sum_of<tensor<f32, 2, 1>, tensor<f32, 1, 3>>, f32, 2, 3> &&
              gives<sum_of<tensor<f32>, tensor<f32, 2>>, f32, 2>);
static_assert(gives<sum_of<tensor<f32, 5, 1, 3>, tensor<f32, 4, 1>>, f32, 5, 4, 3> &&
              gives<sum_of<tensor<f32>, tensor<f32>>, f32>);

// An extent of 1 stretches to 0, too; 0 does not stretch.
static_assert(gives<sum_of<tensor<f32, 0, 3>, tensor<f32, 1, 3>>, f32, 0, 3> &&
              gives<sum_of<tensor<f32, 1>, tensor<f32, 0>>, f32, 0>);

// Equal forms are equal extents.
static_assert(gives<sum_of<tensor<f32, N, 1>, tensor<f32, 1, 2 * N>>, f32, N, 2 * N> &&
              gives<sum_of<tensor<f32, N + N>, tensor<f32, 2 * N>>, f32, 2 * N>);
static_assert(gives<sum_of<tensor<f32, 8, N>, tensor<f32, N>>, f32, 8, N>);

//=== three operands broadcast together: (2, 1, 1), (3, 1), (4) ===//

static_assert(gives<decltype(where(tensor<boolean, 2, 1, 1>{}, tensor<f32, 3, 1>{}, tensor<f32, 4>{})), f32, 2, 3, 4>);
static_assert(gives<decltype(where(tensor<boolean>{}, tensor<f32, 3, 1>{}, tensor<f32, 1, 4>{})), f32, 3, 4>);
static_assert(gives<decltype(fma(tensor<f32, N>{}, tensor<f32, 5, 1>{}, tensor<f32>{})), f32, 5, N>);

//=== the checked class tells, without an error, whether two extents agree ===//

static_assert(broadcast_extents<op::add, -1, N, N>::value && broadcast_extents<op::add, -1, dim(1), N>::value);

//=== only operands that differ from the result are expanded ===//

struct bias {
    constexpr auto operator()(tensor<f32, N, 4> x, tensor<f32, 4> b) const { return x + b; }
};
constexpr const char* bias_text = "0 input f32[N,4] 'input0'\n"
                                  "1 input f32[4] 'input1'\n"
                                  "2 expand f32[N,4] 1\n"
                                  "3 add f32[N,4] 0 2\n"
                                  "-> 3";
static_assert(records<bias>(bias_text));

struct outer {
    constexpr auto operator()(tensor<f32, 2, 1> a, tensor<f32, 3> b) const { return a * b; }
};
static_assert(records<outer>("0 input f32[2,1] 'input0'\n"
                             "1 input f32[3] 'input1'\n"
                             "2 expand f32[2,3] 0\n"
                             "3 expand f32[2,3] 1\n"
                             "4 mul f32[2,3] 2 3\n"
                             "-> 4"));

} // namespace

TEST_CASE("broadcasting records expands") { CHECK(recording<bias>() == bias_text); }
