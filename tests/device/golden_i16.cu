// Golden vectors of i16 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden i16: functions") { check_device_kernels<toroid::i16, group::functions>(); }
TEST_CASE("golden i16: tests and roundings") { check_device_kernels<toroid::i16, group::tests>(); }
TEST_CASE("golden i16: conversions") { check_device_kernels<toroid::i16, group::conversions>(); }
TEST_CASE("golden i16: two and three operands") { check_device_kernels<toroid::i16, group::binary>(); }
