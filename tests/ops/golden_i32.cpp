// Golden vectors of i32: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden i32: definitions") { golden::check_definitions<toroid::i32>(); }
TEST_CASE("golden i32: functions") { golden::check_kernels<toroid::i32, golden::group::functions>(); }
TEST_CASE("golden i32: tests and roundings") { golden::check_kernels<toroid::i32, golden::group::tests>(); }
TEST_CASE("golden i32: conversions") { golden::check_kernels<toroid::i32, golden::group::conversions>(); }
TEST_CASE("golden i32: two and three operands") { golden::check_kernels<toroid::i32, golden::group::binary>(); }
