// Golden vectors of u8: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden u8: definitions") { golden::check_definitions<toroid::u8>(); }
TEST_CASE("golden u8: functions") { golden::check_kernels<toroid::u8, golden::group::functions>(); }
TEST_CASE("golden u8: tests and roundings") { golden::check_kernels<toroid::u8, golden::group::tests>(); }
TEST_CASE("golden u8: conversions") { golden::check_kernels<toroid::u8, golden::group::conversions>(); }
TEST_CASE("golden u8: two and three operands") { golden::check_kernels<toroid::u8, golden::group::binary>(); }
