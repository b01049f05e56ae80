// Golden vectors of f16: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden f16: definitions") { golden::check_definitions<toroid::f16>(); }
TEST_CASE("golden f16: functions") { golden::check_kernels<toroid::f16, golden::group::functions>(); }
TEST_CASE("golden f16: tests and roundings") { golden::check_kernels<toroid::f16, golden::group::tests>(); }
TEST_CASE("golden f16: conversions") { golden::check_kernels<toroid::f16, golden::group::conversions>(); }
TEST_CASE("golden f16: two and three operands") { golden::check_kernels<toroid::f16, golden::group::binary>(); }
