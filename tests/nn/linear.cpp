// nn::linear: PyTorch's names and layout, over any batch axes.

#include <toroid/nn/linear.hpp>

#include <doctest/doctest.h>

#include "../expr/recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim B = symbol('B');

using layer = nn::linear<3, 5>;

//=== types ===//

static_assert(gives<decltype(layer{}(tensor<f32, B, 3>{})), f32, B, 5> &&
              gives<decltype(layer{}(tensor<f32, B, 7, 3>{})), f32, B, 7, 5>);
static_assert(gives<decltype(nn::linear<3, 5, bf16>{}(tensor<bf16, B, 3>{})), bf16, B, 5>);
static_assert(gives<decltype(layer::weight), f32, 5, 3> && gives<decltype(layer::bias), f32, 5>);

//=== the weight is stored [Out, In] and transposed by a view ===//

struct model {
    BOOST_HANA_DEFINE_STRUCT(model, (layer, fc));
    constexpr auto operator()(tensor<f32, B, 3> x) const { return fc(x); }
};
constexpr const char* text = "0 parameter f32[5,3] 'fc.weight'\n"
                             "1 parameter f32[5] 'fc.bias'\n"
                             "2 input f32[B,3] 'input0'\n"
                             "3 permute f32[3,5] 0 (10)\n"
                             "4 matmul f32[B,5] 2 3\n"
                             "5 expand f32[B,5] 1\n"
                             "6 add f32[B,5] 4 5\n"
                             "-> 6";
static_assert(records<model>(text));

} // namespace

TEST_CASE("a linear layer is a matmul and a bias") { CHECK(recording<model>() == text); }
