// The small models of the scheduler's tests, run, against the interpreter of their unoptimised graphs.

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

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

} // namespace
} // namespace toroid::tests
