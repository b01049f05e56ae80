// Golden vectors of bool, u8 and i8 on the GPU: reductions, softmax and logsumexp.

#include "golden.hpp"

using golden::check_device_reductions;
using golden::composite_model;
using golden::reduction_model;

TEST_CASE("golden bool: reductions of rows") { check_device_reductions<reduction_model, toroid::boolean, 1>(); }
TEST_CASE("golden bool: composites of rows") { check_device_reductions<composite_model, toroid::boolean, 1>(); }
TEST_CASE("golden u8: reductions of rows") { check_device_reductions<reduction_model, toroid::u8, 1>(); }
TEST_CASE("golden u8: composites of rows") { check_device_reductions<composite_model, toroid::u8, 1>(); }
TEST_CASE("golden i8: reductions of rows") { check_device_reductions<reduction_model, toroid::i8, 1>(); }
TEST_CASE("golden i8: composites of rows") { check_device_reductions<composite_model, toroid::i8, 1>(); }
