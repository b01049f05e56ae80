// Golden vectors of i32 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden i32: functions") { check_device_kernels<toroid::i32, group::functions>(); }
TEST_CASE("golden i32: tests and roundings") { check_device_kernels<toroid::i32, group::tests>(); }
TEST_CASE("golden i32: conversions") { check_device_kernels<toroid::i32, group::conversions>(); }
TEST_CASE("golden i32: two and three operands") { check_device_kernels<toroid::i32, group::binary>(); }
