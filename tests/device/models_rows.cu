// The models of the scheduler's tests that are kernels alone, on the GPU, against the interpreter.

#include <doctest/doctest.h>

#include "../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

const array<f32> x = numbers<f32>({5, 64});

TEST_CASE("rows") {
    CHECK(agrees_on_device<softmax_rows>(1e-5, x));
    CHECK(agrees_on_device<log_softmax_rows>(1e-5, x));
    CHECK(agrees_on_device<logsumexp_rows>(1e-5, x));
    CHECK(agrees_on_device<layer_norm_rows>(1e-5, x));
    CHECK(agrees_on_device<rms_norm_rows>(1e-5, x));
    CHECK(agrees_on_device<variance_rows>(1e-5, x));
    CHECK(agrees_on_device<argmax_rows>(0, x));
    CHECK(agrees_on_device<siblings>(1e-5, x));
    CHECK(agrees_on_device<multi_output>(1e-5, numbers<f32>({5, 64}, 1, 1, 2)));
}

TEST_CASE("other axes") {
    CHECK(agrees_on_device<softmax_middle>(1e-5, numbers<f32>({3, 70, 5})));
    CHECK(agrees_on_device<sum_two_axes>(1e-5, numbers<f32>({8, 5, 16})));
}

TEST_CASE("elements") {
    CHECK(agrees_on_device<residual_chain>(1e-4, numbers<f32>({5, 64}, 1, -1, 0)));
    CHECK(agrees_on_device<broadcast_bias>(1e-6, x));
    CHECK(agrees_on_device<gated_unit>(1e-6, numbers<f32>({5, 32})));
    CHECK(agrees_on_device<transpose_add>(1e-6, numbers<f32>({64, 9}), numbers<f32>({9, 64}, 2)));
    CHECK(agrees_on_device<transpose_add>(1e-6, numbers<f32>({64, 333}), numbers<f32>({333, 64}, 2)));
    CHECK(agrees_on_device<concat_two>(1e-5, numbers<f32>({5, 16}), numbers<f32>({5, 8}, 2)));
}

TEST_CASE("fusion changes no result") {
    using unfused = targets::with_fusion_level<targets::sm_90, 0>;
    CHECK(agrees_on_device<layer_norm_rows, unfused>(1e-5, x));
    CHECK(agrees_on_device<multi_output, unfused>(1e-5, numbers<f32>({5, 64}, 1, 1, 2)));
}

} // namespace
} // namespace toroid::tests
