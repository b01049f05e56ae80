// Results as owning arrays: bare, a tuple, or with the names of a struct's members.

#include <tuple>
#include <type_traits>

#include <doctest/doctest.h>

#include <toroid/storage/outputs.hpp>

namespace toroid::tests {
namespace {

constexpr dim B = symbol('B');

struct pair_of_results {
    BOOST_HANA_DEFINE_STRUCT(pair_of_results, (tensor<f32, B, 4>, logits), (tensor<i64, B>, label));
};

static_assert(std::is_same_v<output_tensors_t<tensor<f32, B>>, type_list<tensor<f32, B>>>);
static_assert(std::is_same_v<output_tensors_t<std::tuple<tensor<f32, B>, tensor<u8, 2>>>,
                             type_list<tensor<f32, B>, tensor<u8, 2>>>);
static_assert(
    std::is_same_v<output_tensors_t<std::array<tensor<f64, 3>, 2>>, type_list<tensor<f64, 3>, tensor<f64, 3>>>);
static_assert(std::is_same_v<output_tensors_t<pair_of_results>, type_list<tensor<f32, B, 4>, tensor<i64, B>>>);
static_assert(std::is_same_v<output_tensors_t<const pair_of_results&>, output_tensors_t<pair_of_results>>);

static_assert(std::is_same_v<outputs_t<tensor<f32, B>>, array<f32>>);
static_assert(std::is_same_v<outputs_t<std::tuple<tensor<f32, B>, tensor<u8, 2>>>, std::tuple<array<f32>, array<u8>>>);
static_assert(std::is_same_v<outputs_t<std::array<tensor<f64, 3>, 2>>, std::tuple<array<f64>, array<f64>>>);
static_assert(std::is_same_v<outputs_t<std::tuple<tensor<f32, B>>>, std::tuple<array<f32>>>,
              "one in a tuple stays in it");

using named_results = outputs_t<pair_of_results>;
static_assert(std::is_base_of_v<std::tuple<array<f32>, array<i64>>, named_results>);
static_assert(std::is_same_v<decltype(std::declval<named_results&>().get<"logits">()), array<f32>&>);
static_assert(std::is_same_v<decltype(std::declval<const named_results&>().get<"label">()), const array<i64>&>);

TEST_CASE("results are reached by name, by number and by structured binding") {
    named_results y(array<f32>({1, 4}, {1, 2, 3, 4}), array<i64>({1}, {3}));
    CHECK(y.get<"logits">()(0, 2) == 3);
    CHECK(y.get<"label">()(0) == 3);
    CHECK(&y.get<"logits">() == &std::get<0>(y));
    y.get<"label">()(0) = 5;
    CHECK(std::get<1>(y)(0) == 5);
    const named_results& constant = y;
    CHECK(constant.get<"label">()(0) == 5);
}

} // namespace
} // namespace toroid::tests
