// Golden vectors of f16 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden f16: functions") { check_device_kernels<toroid::f16, group::functions>(); }
TEST_CASE("golden f16: tests and roundings") { check_device_kernels<toroid::f16, group::tests>(); }
TEST_CASE("golden f16: conversions") { check_device_kernels<toroid::f16, group::conversions>(); }
TEST_CASE("golden f16: two and three operands") { check_device_kernels<toroid::f16, group::binary>(); }
