// Golden vectors of i16: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden i16: definitions") { golden::check_definitions<toroid::i16>(); }
TEST_CASE("golden i16: functions") { golden::check_kernels<toroid::i16, golden::group::functions>(); }
TEST_CASE("golden i16: tests and roundings") { golden::check_kernels<toroid::i16, golden::group::tests>(); }
TEST_CASE("golden i16: conversions") { golden::check_kernels<toroid::i16, golden::group::conversions>(); }
TEST_CASE("golden i16: two and three operands") { golden::check_kernels<toroid::i16, golden::group::binary>(); }
