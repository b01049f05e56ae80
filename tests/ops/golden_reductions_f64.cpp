// Golden vectors of f64: reductions, softmax and logsumexp, with every instruction set.

#include "../golden/reductions.hpp"

TEST_CASE("golden f64: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::f64, 1>(); }
TEST_CASE("golden f64: composites of rows") { golden::check_reductions<golden::composite_model, toroid::f64, 1>(); }
TEST_CASE("golden f64: reductions of columns") { golden::check_reductions<golden::reduction_model, toroid::f64, 0>(); }
TEST_CASE("golden f64: composites of columns") { golden::check_reductions<golden::composite_model, toroid::f64, 0>(); }
