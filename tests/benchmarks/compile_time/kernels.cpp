// Kernels that differ, each behind a matrix product: bodies that cannot be shared.

#include "device.hpp"

#ifndef KERNELS
#define KERNELS 50
#endif

namespace {

using namespace toroid;

constexpr auto B = symbol('B');

struct kernels {
    BOOST_HANA_DEFINE_STRUCT(kernels, (tensor<f32, 64, 64>, weight));

    constexpr auto operator()(tensor<f32, B, 64> x) const {
        for (int i = 0; i < KERNELS; ++i) x = relu(matmul(x, weight) * (0.5f + i) + x);
        return x;
    }
};

static_assert(plan_of<kernels>::kernel_count() == KERNELS);
static_assert(plan_of<kernels>::definition_count() == KERNELS);

} // namespace

device::array<f32> call(const device::array<f32>& x) { return run<kernels>(x); }
