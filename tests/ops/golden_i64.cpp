// Golden vectors of i64: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden i64: definitions") { golden::check_definitions<toroid::i64>(); }
TEST_CASE("golden i64: functions") { golden::check_kernels<toroid::i64, golden::group::functions>(); }
TEST_CASE("golden i64: tests and roundings") { golden::check_kernels<toroid::i64, golden::group::tests>(); }
TEST_CASE("golden i64: conversions") { golden::check_kernels<toroid::i64, golden::group::conversions>(); }
TEST_CASE("golden i64: two and three operands") { golden::check_kernels<toroid::i64, golden::group::binary>(); }
