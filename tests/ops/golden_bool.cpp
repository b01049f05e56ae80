// Golden vectors of bool: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden bool: definitions") { golden::check_definitions<toroid::boolean>(); }
TEST_CASE("golden bool: functions") { golden::check_kernels<toroid::boolean, golden::group::functions>(); }
TEST_CASE("golden bool: tests") { golden::check_kernels<toroid::boolean, golden::group::tests>(); }
TEST_CASE("golden bool: conversions") { golden::check_kernels<toroid::boolean, golden::group::conversions>(); }
TEST_CASE("golden bool: two and three operands") { golden::check_kernels<toroid::boolean, golden::group::binary>(); }
