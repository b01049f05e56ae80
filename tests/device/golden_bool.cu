// Golden vectors of bool on the GPU: every pointwise operation.

#include "golden.hpp"

using golden::check_device_kernels;
using golden::group;

TEST_CASE("golden bool: functions") { check_device_kernels<toroid::boolean, group::functions>(); }
TEST_CASE("golden bool: tests and roundings") { check_device_kernels<toroid::boolean, group::tests>(); }
TEST_CASE("golden bool: conversions") { check_device_kernels<toroid::boolean, group::conversions>(); }
TEST_CASE("golden bool: two and three operands") { check_device_kernels<toroid::boolean, group::binary>(); }
