// Golden vectors of i64 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden i64: functions") { check_device_kernels<toroid::i64, group::functions>(); }
TEST_CASE("golden i64: tests and roundings") { check_device_kernels<toroid::i64, group::tests>(); }
TEST_CASE("golden i64: conversions") { check_device_kernels<toroid::i64, group::conversions>(); }
TEST_CASE("golden i64: two and three operands") { check_device_kernels<toroid::i64, group::binary>(); }
