// Golden vectors of i8 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden i8: functions") { check_device_kernels<toroid::i8, group::functions>(); }
TEST_CASE("golden i8: tests and roundings") { check_device_kernels<toroid::i8, group::tests>(); }
TEST_CASE("golden i8: conversions") { check_device_kernels<toroid::i8, group::conversions>(); }
TEST_CASE("golden i8: two and three operands") { check_device_kernels<toroid::i8, group::binary>(); }
