// Golden vectors of f16 and bf16 on the GPU: reductions, softmax and logsumexp.

#include "golden.hpp"

using golden::check_device_reductions;
using golden::composite_model;
using golden::reduction_model;

TEST_CASE("golden f16: reductions of rows") { check_device_reductions<reduction_model, toroid::f16, 1>(); }
TEST_CASE("golden f16: composites of rows") { check_device_reductions<composite_model, toroid::f16, 1>(); }
TEST_CASE("golden f16: reductions of columns") { check_device_reductions<reduction_model, toroid::f16, 0>(); }
TEST_CASE("golden f16: composites of columns") { check_device_reductions<composite_model, toroid::f16, 0>(); }
TEST_CASE("golden bf16: reductions of rows") { check_device_reductions<reduction_model, toroid::bf16, 1>(); }
TEST_CASE("golden bf16: composites of rows") { check_device_reductions<composite_model, toroid::bf16, 1>(); }
