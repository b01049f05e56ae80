// Golden vectors of u8 on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden u8: functions") { check_device_kernels<toroid::u8, group::functions>(); }
TEST_CASE("golden u8: tests and roundings") { check_device_kernels<toroid::u8, group::tests>(); }
TEST_CASE("golden u8: conversions") { check_device_kernels<toroid::u8, group::conversions>(); }
TEST_CASE("golden u8: two and three operands") { check_device_kernels<toroid::u8, group::binary>(); }
