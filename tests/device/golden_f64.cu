// Golden vectors of f64 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden f64: functions") { check_device_kernels<toroid::f64, group::functions>(); }
TEST_CASE("golden f64: tests and roundings") { check_device_kernels<toroid::f64, group::tests>(); }
TEST_CASE("golden f64: conversions") { check_device_kernels<toroid::f64, group::conversions>(); }
TEST_CASE("golden f64: two and three operands") { check_device_kernels<toroid::f64, group::binary>(); }
