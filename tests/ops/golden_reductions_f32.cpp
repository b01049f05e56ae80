// Golden vectors of f32: reductions, softmax and logsumexp, with every instruction set.

#include "../golden/reductions.hpp"

TEST_CASE("golden f32: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::f32, 1>(); }
TEST_CASE("golden f32: composites of rows") { golden::check_reductions<golden::composite_model, toroid::f32, 1>(); }
TEST_CASE("golden f32: reductions of columns") { golden::check_reductions<golden::reduction_model, toroid::f32, 0>(); }
TEST_CASE("golden f32: composites of columns") { golden::check_reductions<golden::composite_model, toroid::f32, 0>(); }
