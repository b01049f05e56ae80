// The values of a tiny model, computed by nvcc's front end in constant evaluation.

#include <toroid/expr/expr.hpp>
#include <toroid/reference/interpreter.hpp>

using namespace toroid;

namespace {

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (tensor<f32, 3, 2>, weight), (tensor<f32, 3>, bias));
    constexpr auto operator()(tensor<f32, 2, 2> x) const { return softmax(relu(matmul(x, transpose(weight)) + bias)); }
};

// (1, 2): logits relu(1, 2, -2) = (1, 2, 0). (4, 1): logits (4, 1, 2).
constexpr auto probabilities() {
    return evaluate<classifier>(
        references(make_reference(f32, {2, 2}, {1, 2, 4, 1})),
        references(make_reference(f32, {3, 2}, {1, 0, 0, 1, 1, -1}), make_reference(f32, {3}, {0, 0, -1})))[0];
}
static_assert(almost_equal(probabilities(),
                           make_reference(f32, {2, 3},
                                          {0.24472847105479767, 0.6652409557748219, 0.09003057317038046,
                                           0.8437947344813395, 0.042010066918083254, 0.11419519938459449}),
                           1e-7));

} // namespace
