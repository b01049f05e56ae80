// The small models of the scheduler's tests, run, against the interpreter of their unoptimised graphs.

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

using unfused = targets::with_fusion_level<targets::cpu, 0>;

TEST_CASE("one kernel each") {
    const array<f32> x = numbers<f32>({5, 64});
    CHECK(agrees_with_interpreter<log_softmax_rows>(1e-5, x));
    CHECK(agrees_with_interpreter<logsumexp_rows>(1e-5, x));
    CHECK(agrees_with_interpreter<layer_norm_rows>(1e-5, x));
    CHECK(agrees_with_interpreter<rms_norm_rows>(1e-5, x));
    CHECK(agrees_with_interpreter<residual_chain>(1e-4, numbers<f32>({5, 64}, 1, -1, 0)));
    CHECK(agrees_with_interpreter<multi_output>(1e-5, numbers<f32>({5, 64}, 1, 1, 2)));
    CHECK(agrees_with_interpreter<broadcast_bias>(1e-6, x));
    CHECK(agrees_with_interpreter<gated_unit>(1e-6, numbers<f32>({5, 32})));
    CHECK(agrees_with_interpreter<softmax_middle>(1e-5, numbers<f32>({3, 70, 5})));
    CHECK(agrees_with_interpreter<transpose_add>(1e-6, numbers<f32>({64, 9}), numbers<f32>({9, 64}, 2)));
    CHECK(agrees_with_interpreter<concat_two>(1e-5, numbers<f32>({5, 16}), numbers<f32>({5, 8}, 2)));
    CHECK(agrees_with_interpreter<sum_two_axes>(1e-5, numbers<f32>({8, 5, 16})));
}

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
