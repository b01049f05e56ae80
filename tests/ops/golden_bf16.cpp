// Golden vectors of bf16: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden bf16: definitions") { golden::check_definitions<toroid::bf16>(); }
TEST_CASE("golden bf16: functions") { golden::check_kernels<toroid::bf16, golden::group::functions>(); }
TEST_CASE("golden bf16: tests and roundings") { golden::check_kernels<toroid::bf16, golden::group::tests>(); }
TEST_CASE("golden bf16: conversions") { golden::check_kernels<toroid::bf16, golden::group::conversions>(); }
TEST_CASE("golden bf16: two and three operands") { golden::check_kernels<toroid::bf16, golden::group::binary>(); }
