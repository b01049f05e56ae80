// Golden vectors of f64: every pointwise operation, as a definition and in kernels of every instruction set.

#include "../golden/pointwise.hpp"

TEST_CASE("golden f64: definitions") { golden::check_definitions<toroid::f64>(); }
TEST_CASE("golden f64: functions") { golden::check_kernels<toroid::f64, golden::group::functions>(); }
TEST_CASE("golden f64: tests and roundings") { golden::check_kernels<toroid::f64, golden::group::tests>(); }
TEST_CASE("golden f64: conversions") { golden::check_kernels<toroid::f64, golden::group::conversions>(); }
TEST_CASE("golden f64: two and three operands") { golden::check_kernels<toroid::f64, golden::group::binary>(); }
