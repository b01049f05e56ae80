// Tests of <toroid/reference/interpreter.hpp>.

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <tuple>

#include <toroid/nn/linear.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/pass/pipeline.hpp>

#include "support.hpp"

using namespace reference_tests;

namespace {

constexpr dim B = symbol('B');

//=== the values of a model are constants ===//

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<2, 3>, fc1), (nn::linear<3, 2>, fc2));
    constexpr auto operator()(tensor<f32, B, 2> x) const { return softmax(fc2(relu(fc1(x)))); }
};

constexpr growable<reference_tensor> classifier_weights() {
    return references(make_reference(f32, {3, 2}, {1, 0, 0, 1, 1, -1}), make_reference(f32, {3}, {0, 0, -1}),
                      make_reference(f32, {2, 3}, {1, 1, 1, 0, 0, 1}), make_reference(f32, {2}, {0.5, -0.5}));
}
constexpr double logistic_of_4 = 0.98201379003790845;
constexpr double logistic_of_6 = 0.99752737684336534;
// (1, 2): hidden relu(1, 2, -2) = (1, 2, 0), logits (3.5, -0.5). (4, 1): hidden (4, 1, 2), logits (7.5, 1.5).
static_assert(almost_equal(
    evaluate<classifier>(references(make_reference(f32, {2, 2}, {1, 2, 4, 1})), classifier_weights())[0],
    make_reference(f32, {2, 2}, {logistic_of_4, 1 - logistic_of_4, logistic_of_6, 1 - logistic_of_6}), 1e-7));
static_assert(evaluate<classifier>(references(make_reference(f32, {0, 2}, {})), classifier_weights())[0].size() == 0);

//=== leaves ===//

struct leaves {
    constexpr auto operator()(trace& t, tensor<f32, B> x) const {
        return std::make_tuple(x + t.arange<f32, B>(1, 2), t.full<u8, 2>(257), t.full<f64, 1>(0.1), t.full<f32, 1>(0.1),
                               x);
    }
};
constexpr auto leaf_outputs() { return evaluate<leaves>(references(make_reference(f32, {3}, {10, 20, 30}))); }
static_assert(leaf_outputs().size() == 5);
static_assert(leaf_outputs()[0] == make_reference(f32, {3}, {11, 23, 35}));
static_assert(leaf_outputs()[1] == make_reference(u8, {2}, {1, 1}));
static_assert(leaf_outputs()[2][0] == 0.1);
static_assert(leaf_outputs()[3][0] == static_cast<double>(0.1f));
static_assert(leaf_outputs()[4] == make_reference(f32, {3}, {10, 20, 30}));

//=== rounding happens where it is written, and only there ===//

struct rounding {
    constexpr auto operator()(tensor<f16, 1> x) const {
        return std::make_tuple(x * x, to_dtype<f16>(to_dtype<f32>(x * x)));
    }
};
constexpr double x_half = 1 + 0x1p-10;
static_assert(evaluate<rounding>(references(make_reference(f16, {1}, {x_half})))[0][0] == x_half * x_half);
static_assert(evaluate<rounding>(references(make_reference(f16, {1}, {x_half})))[1][0] == 1 + 0x1p-9);

//=== observation ===//

struct chain {
    constexpr auto operator()(tensor<f32, 2> x) const { return sum((x + x) * x); }
};

/// A sum of 8 becomes 108 when the product is replaced on its way.
constexpr double observed() {
    const trace t = trace_model<chain>();
    const auto raise = [&](int i, reference_tensor& value, const growable<reference_tensor>& values) {
        if (t.recorded().nodes[i].code == op::mul) value.real[0] = values[0].real[0] * 100;
    };
    return interpret(t.recorded().view(), references(make_reference(f32, {2}, {1, 2})), {}, raise)[0][0];
}
static_assert(evaluate<chain>(references(make_reference(f32, {2}, {1, 2})))[0][0] == 10);
static_assert(observed() == 108);

//=== the optimised graph is interpreted too, extents as values included ===//

struct normalizer {
    constexpr auto operator()(tensor<f64, B, 2> x) const {
        return std::make_tuple(mean<0>(x), var<0>(x), layer_norm(x));
    }
};
constexpr auto normalized(bool optimized) {
    const trace t = trace_model<normalizer>();
    const auto x = references(make_reference(f64, {2, 2}, {1, 5, 3, 9}));
    if (optimized) return interpret(optimize(t.recorded().view()).view(), x);
    return interpret(t.recorded().view(), x);
}
static_assert(normalized(false)[0] == make_reference(f64, {2}, {2, 7}));
static_assert(normalized(false)[1] == make_reference(f64, {2}, {2, 8}));
static_assert(almost_equal(normalized(true)[0], normalized(false)[0], 1e-15));
static_assert(almost_equal(normalized(true)[1], normalized(false)[1], 1e-15));
static_assert(almost_equal(normalized(true)[2], normalized(false)[2], 1e-14));

struct shorter {
    constexpr auto operator()(trace& t, tensor<f32, B>) const { return t.full<f32, B - dim(1)>(7); }
};
static_assert(evaluate<shorter>(references(make_reference(f32, {1}, {0})))[0].size() == 0);

} // namespace

TEST_CASE("interpreter: a negative extent is a fault, never a tensor") {
    CHECK_THROWS_AS(evaluate<shorter>(references(make_reference(f32, {0}, {}))), std::logic_error);
}

TEST_CASE("interpreter: a graph of a hundred thousand elements at run time") {
    using model = unary_model<[](auto x) { return softmax(x * 2.0); }, tensor<f32, 100, 1000>>;
    growable<std::int64_t> extents;
    extents.push(100);
    extents.push(1000);
    reference_tensor x = zero_reference(f32, extents);
    for (int i = 0; i < x.size(); ++i) x.real[i] = static_cast<double>(i % 7) / 4;
    const reference_tensor y = evaluate<model>(references(x))[0];
    double expected_sum = 0;
    for (int i = 0; i < 1000; ++i) expected_sum += std::exp(x[i] * 2);
    CHECK(y[6] == doctest::Approx(std::exp(3.0) / expected_sum).epsilon(1e-12));
    double total = 0;
    for (int i = 0; i < y.size(); ++i) total += y[i];
    CHECK(total == doctest::Approx(100).epsilon(1e-9));
}
