// A chain of pointwise operations from a loop: every operation is traced, scheduled and part of a kernel's body. With
// PLAN_ONLY the plan is made and asserted, but no kernel is instantiated.

#include "device.hpp"

#ifndef OPERATIONS
#define OPERATIONS 1000
#endif

namespace {

using namespace toroid;

constexpr auto B = symbol('B');

struct add_loop {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, B, 64> y) const {
        for (int i = 0; i < OPERATIONS; ++i) {
            if (i % 3 == 0) x = x + y;
            else if (i % 3 == 1) x = x * y;
            else x = sin(x);
        }
        return x;
    }
};

static_assert(plan_of<add_loop>::graph.size() == OPERATIONS + 2);
// Kernels of at most 256 operations.
static_assert(plan_of<add_loop>::kernel_count() == (OPERATIONS + 255) / 256);

} // namespace

#ifndef PLAN_ONLY
device::array<f32> call(const device::array<f32>& x, const device::array<f32>& y) { return run<add_loop>(x, y); }
#endif
