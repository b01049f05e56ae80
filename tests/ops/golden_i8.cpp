// Golden vectors of i8: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden i8: definitions") { golden::check_definitions<toroid::i8>(); }
TEST_CASE("golden i8: functions") { golden::check_kernels<toroid::i8, golden::group::functions>(); }
TEST_CASE("golden i8: tests and roundings") { golden::check_kernels<toroid::i8, golden::group::tests>(); }
TEST_CASE("golden i8: conversions") { golden::check_kernels<toroid::i8, golden::group::conversions>(); }
TEST_CASE("golden i8: two and three operands") { golden::check_kernels<toroid::i8, golden::group::binary>(); }
