// Models with matmuls, without fusion, and with kernels in place, against the interpreter of their unoptimised graphs.

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

using unfused = targets::with_fusion_level<targets::cpu, 0>;

TEST_CASE("kernels between matmuls") {
    CHECK(agrees_with_interpreter<classifier>(1e-5, numbers<f32>({5, 64})));
    CHECK(agrees_with_interpreter<attention_heads>(1e-5, numbers<f32>({2, 3, 64})));
}

TEST_CASE("fusion changes no result") {
    CHECK(agrees_with_interpreter<classifier, unfused>(1e-5, numbers<f32>({5, 64})));
    CHECK(agrees_with_interpreter<layer_norm_rows, unfused>(1e-5, numbers<f32>({5, 64})));
}

//=== in place ===//

struct ten_in_place {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> s) const {
        std::array<tensor<f32, 8, 8>, 10> y;
        for (int i = 0; i < 10; ++i) y[static_cast<std::size_t>(i)] = matmul(x + 0.1 * (i + 1), s);
        for (auto& element : y) element = element * s;
        auto total = matmul(y[9], s);
        for (int i = 8; i >= 0; --i) total = matmul(total, y[static_cast<std::size_t>(i)]);
        return total;
    }
};
struct rows_in_place {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, 16, 16> w) const {
        return matmul(layer_norm(matmul(softmax(matmul(x, w)), w)), w);
    }
};
TEST_CASE("kernels that write over their operands") {
    CHECK(agrees_with_interpreter<ten_in_place>(1e-4, numbers<f32>({8, 8}, 1, -1, 1), numbers<f32>({8, 8}, 2, -1, 1)));
    CHECK(agrees_with_interpreter<rows_in_place>(1e-5, numbers<f32>({300, 16}), numbers<f32>({16, 16}, 2)));
}

} // namespace
} // namespace toroid::tests
