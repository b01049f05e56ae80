// Golden vectors of i16, i32 and i64: reductions, softmax and logsumexp, with every instruction set.

#include "../golden/reductions.hpp"

TEST_CASE("golden i16: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::i16, 1>(); }
TEST_CASE("golden i16: composites of rows") { golden::check_reductions<golden::composite_model, toroid::i16, 1>(); }
TEST_CASE("golden i32: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::i32, 1>(); }
TEST_CASE("golden i32: composites of rows") { golden::check_reductions<golden::composite_model, toroid::i32, 1>(); }
TEST_CASE("golden i32: reductions of columns") { golden::check_reductions<golden::reduction_model, toroid::i32, 0>(); }
TEST_CASE("golden i32: composites of columns") { golden::check_reductions<golden::composite_model, toroid::i32, 0>(); }
TEST_CASE("golden i64: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::i64, 1>(); }
TEST_CASE("golden i64: composites of rows") { golden::check_reductions<golden::composite_model, toroid::i64, 1>(); }
