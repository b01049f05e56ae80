// matmul: extents, batches, dtypes, and what it records.

#include <toroid/expr/linalg.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim B = symbol('B');
constexpr dim N = symbol('N');

template <class A, class C> using product_of = decltype(matmul(A{}, C{}));

//=== matrices ===//

static_assert(gives<product_of<tensor<f32, 2, 3>, tensor<f32, 3, 5>>, f32, 2, 5> &&
              gives<product_of<tensor<f32, B, 64>, tensor<f32, 64, N>>, f32, B, N>);
static_assert(gives<product_of<tensor<f32, 1, 3>, tensor<f32, 3, 1>>, f32, 1, 1> &&
              gives<product_of<tensor<f32, 2, 0>, tensor<f32, 0, 5>>, f32, 2, 5>);
static_assert(gives<product_of<tensor<f32, 2, 2 * N>, tensor<f32, N + N, 5>>, f32, 2, 5>);

//=== batches broadcast ===//

static_assert(gives<product_of<tensor<f32, B, 2, 3>, tensor<f32, B, 3, 5>>, f32, B, 2, 5> &&
              gives<product_of<tensor<f32, B, 7, 2, 3>, tensor<f32, 3, 5>>, f32, B, 7, 2, 5>);
static_assert(gives<product_of<tensor<f32, 2, 3>, tensor<f32, B, 3, 5>>, f32, B, 2, 5> &&
              gives<product_of<tensor<f32, B, 1, 2, 3>, tensor<f32, 7, 3, 5>>, f32, B, 7, 2, 5>);

//=== dtypes promote; bf16 with f16 is f32 ===//

static_assert(gives<product_of<tensor<f16, 2, 3>, tensor<f32, 3, 5>>, f32, 2, 5> &&
              gives<product_of<tensor<bf16, 2, 3>, tensor<bf16, 3, 5>>, bf16, 2, 5>);
static_assert(gives<product_of<tensor<u8, 2, 3>, tensor<i8, 3, 5>>, i16, 2, 5> &&
              gives<product_of<tensor<bf16, 2, 3>, tensor<f16, 3, 5>>, f32, 2, 5>);
static_assert(gives<product_of<tensor<boolean, 2, 3>, tensor<i32, 3, 5>>, i32, 2, 5>);

//=== the weight is transposed by a view, the batch expanded by a view, the dtype cast before ===//

struct projection {
    constexpr auto operator()(tensor<f16, B, 2, 3> x, tensor<f32, 5, 3> w) const { return matmul(x, transpose(w)); }
};
constexpr const char* projection_text = "0 input f16[B,2,3] 'input0'\n"
                                        "1 input f32[5,3] 'input1'\n"
                                        "2 permute f32[3,5] 1 (10)\n"
                                        "3 to_dtype f32[B,2,3] 0\n"
                                        "4 expand f32[B,3,5] 2\n"
                                        "5 matmul f32[B,2,5] 3 4\n"
                                        "-> 5";
static_assert(records<projection>(projection_text));

} // namespace

TEST_CASE("matmul records views of its operands") { CHECK(recording<projection>() == projection_text); }
