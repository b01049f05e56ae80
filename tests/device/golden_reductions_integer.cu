// Golden vectors of i16, i32 and i64 on the GPU: reductions, softmax and logsumexp.

#include "golden.hpp"

using golden::check_device_reductions;
using golden::composite_model;
using golden::reduction_model;

TEST_CASE("golden i16: reductions of rows") { check_device_reductions<reduction_model, toroid::i16, 1>(); }
TEST_CASE("golden i16: composites of rows") { check_device_reductions<composite_model, toroid::i16, 1>(); }
TEST_CASE("golden i32: reductions of rows") { check_device_reductions<reduction_model, toroid::i32, 1>(); }
TEST_CASE("golden i32: composites of rows") { check_device_reductions<composite_model, toroid::i32, 1>(); }
TEST_CASE("golden i32: reductions of columns") { check_device_reductions<reduction_model, toroid::i32, 0>(); }
TEST_CASE("golden i32: composites of columns") { check_device_reductions<composite_model, toroid::i32, 0>(); }
TEST_CASE("golden i64: reductions of rows") { check_device_reductions<reduction_model, toroid::i64, 1>(); }
TEST_CASE("golden i64: composites of rows") { check_device_reductions<composite_model, toroid::i64, 1>(); }
