// A fused chain whose machine code vectorised.sh reads.

#include <toroid/backend/cpu/executor.hpp>
#include <toroid/expr/expr.hpp>

using namespace toroid;

namespace {
constexpr dim B = symbol('B');
}

struct chain {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32, B> y) const {
        return tanh(x * 2) * exp(y - 1) + x / (y + 3);
    }
};
static_assert(program<chain>::kernel_count() == 1);

array<f32> run_chain(const array<f32>& x, const array<f32>& y) { return cpu::executor<chain>()(x, y); }
