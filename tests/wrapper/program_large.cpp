// Large models with no flag but the standard: 96 residual layers from an ordinary loop, and 1,000 pointwise operations
// with shared subexpressions.

#include <array>

#include <doctest/doctest.h>

#include <toroid/expr/expr.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

template <int D> struct block {
    BOOST_HANA_DEFINE_STRUCT(block, (nn::linear<D, 4 * D>, up), (nn::linear<4 * D, D>, down));
    constexpr auto operator()(expression auto x) const { return x + down(relu(up(x))); }
};
using tower = std::array<block<64>, 96>;
struct deep {
    BOOST_HANA_DEFINE_STRUCT(deep, (nn::linear<784, 64>, embed), (tower, blocks), (nn::linear<64, 10>, head));
    constexpr auto operator()(tensor<f32, B, 784> x) const {
        auto h = relu(embed(x));
        for (const auto& layer : blocks) h = layer(h);
        return exp(head(h));
    }
};
using deep_program = program<deep>;

// Two launches per layer and matmul, four distinct bodies: embed, up, down with the residual, head.
static_assert(deep_program::traced.size() > 970);
static_assert(deep_program::kernel_count() == 2 * 96 + 2 && deep_program::extern_count() == 2 * 96 + 2);
static_assert(deep_program::definition_count() == 4);

struct shared {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        auto a = x;
        auto b = x;
        for (int i = 0; i < 333; ++i) {
            const auto sum = a + b;
            const auto product = a * b;
            a = sum;
            b = maximum(product, sum);
        }
        return a + b;
    }
};
using shared_program = program<shared>;
static_assert(shared_program::traced.size() == 1001);
static_assert(shared_program::extern_count() == 0);
// 1,000 operations in kernels of at most 256.
static_assert(shared_program::kernel_count() == 4);

} // namespace

TEST_CASE("a layer that repeats is defined once") {
    CHECK(deep_program::launch_count() == 388);
    // The residual stream and one hidden layer live at a time.
    CHECK(deep_program::arena_bytes({{'B', 8}}) <= 8 * (256 + 2 * 64) * 4);
}
