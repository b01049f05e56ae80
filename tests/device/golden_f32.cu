// Golden vectors of f32 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden f32: functions") { check_device_kernels<toroid::f32, group::functions>(); }
TEST_CASE("golden f32: tests and roundings") { check_device_kernels<toroid::f32, group::tests>(); }
TEST_CASE("golden f32: conversions") { check_device_kernels<toroid::f32, group::conversions>(); }
TEST_CASE("golden f32: two and three operands") { check_device_kernels<toroid::f32, group::binary>(); }
