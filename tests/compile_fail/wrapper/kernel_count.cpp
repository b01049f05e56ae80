// A broken fusion contract shows both counts.
// code: E033
// expect: static assertion failed.*fusion contract: the program launches Actual kernels, not Expected
// expect: kernel_count_is<.*model.*, 3, 1>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, symbol('B'), 64> x) const { return exp(x) + 1; }
};
#ifdef TOROID_GOOD
static_assert(expect_kernel_count<program<model>, 1>);
#else
static_assert(expect_kernel_count<program<model>, 3>);
#endif
