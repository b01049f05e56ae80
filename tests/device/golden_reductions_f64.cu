// Golden vectors of f64 on the GPU: reductions, softmax and logsumexp.

#include "golden.hpp"

using golden::check_device_reductions;
using golden::composite_model;
using golden::reduction_model;

TEST_CASE("golden f64: reductions of rows") { check_device_reductions<reduction_model, toroid::f64, 1>(); }
TEST_CASE("golden f64: composites of rows") { check_device_reductions<composite_model, toroid::f64, 1>(); }
TEST_CASE("golden f64: reductions of columns") { check_device_reductions<reduction_model, toroid::f64, 0>(); }
TEST_CASE("golden f64: composites of columns") { check_device_reductions<composite_model, toroid::f64, 0>(); }
