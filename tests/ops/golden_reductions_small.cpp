// Golden vectors of bool, u8 and i8: reductions, softmax and logsumexp, with every instruction set.

#include "../golden/reductions.hpp"

TEST_CASE("golden bool: reductions of rows") {
    golden::check_reductions<golden::reduction_model, toroid::boolean, 1>();
}
TEST_CASE("golden bool: composites of rows") {
    golden::check_reductions<golden::composite_model, toroid::boolean, 1>();
}
TEST_CASE("golden u8: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::u8, 1>(); }
TEST_CASE("golden u8: composites of rows") { golden::check_reductions<golden::composite_model, toroid::u8, 1>(); }
TEST_CASE("golden i8: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::i8, 1>(); }
TEST_CASE("golden i8: composites of rows") { golden::check_reductions<golden::composite_model, toroid::i8, 1>(); }
