// 1,000 pointwise operations with shared subexpressions compile under nvcc with no flag but the standard.

#include <toroid/expr/expr.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

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
static_assert(program<shared>::traced.size() == 1001);
static_assert(program<shared>::kernel_count() == 4);

} // namespace
