// Golden vectors of f32: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden f32: definitions") { golden::check_definitions<toroid::f32>(); }
TEST_CASE("golden f32: functions") { golden::check_kernels<toroid::f32, golden::group::functions>(); }
TEST_CASE("golden f32: tests and roundings") { golden::check_kernels<toroid::f32, golden::group::tests>(); }
TEST_CASE("golden f32: conversions") { golden::check_kernels<toroid::f32, golden::group::conversions>(); }
TEST_CASE("golden f32: two and three operands") { golden::check_kernels<toroid::f32, golden::group::binary>(); }
