// Golden vectors of f16 and bf16: reductions, softmax and logsumexp, with every instruction set.

#include "../golden/reductions.hpp"

TEST_CASE("golden f16: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::f16, 1>(); }
TEST_CASE("golden f16: composites of rows") { golden::check_reductions<golden::composite_model, toroid::f16, 1>(); }
TEST_CASE("golden f16: reductions of columns") { golden::check_reductions<golden::reduction_model, toroid::f16, 0>(); }
TEST_CASE("golden f16: composites of columns") { golden::check_reductions<golden::composite_model, toroid::f16, 0>(); }
TEST_CASE("golden bf16: reductions of rows") { golden::check_reductions<golden::reduction_model, toroid::bf16, 1>(); }
TEST_CASE("golden bf16: composites of rows") { golden::check_reductions<golden::composite_model, toroid::bf16, 1>(); }
