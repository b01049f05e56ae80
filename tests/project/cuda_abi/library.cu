// One source, two libraries: LIBRARY_TARGET is sm_80 or sm_90, and nvcc is told the architecture that belongs to it. The
// model has the same name in both and external linkage, as a model in a header of theirs would have.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <tuple>

#include <toroid/cuda.hpp>

#include "library.hpp"

#define JOIN_NAMES(a, b) a##b
#define RUN_ON(target) JOIN_NAMES(run_, target)

namespace cuda_abi {

constexpr auto B = toroid::symbol('B');
constexpr auto N = toroid::symbol('N');

struct model {
    constexpr auto operator()(toroid::tensor<toroid::f32, N> x, toroid::tensor<toroid::f32, B, 256> table) const {
        return std::tuple(toroid::relu(x * 2 + 1), toroid::sum<-1>(table));
    }
};

} // namespace cuda_abi

extern "C" int RUN_ON(LIBRARY_TARGET)(const float* x, long long count, const float* table, long long rows, float* y,
                                      float* total, char* message, int message_size) {
    using namespace toroid;
    using target = targets::LIBRARY_TARGET;
    static_assert(program<cuda_abi::model, target>::kernel_count() == 2, "a pointwise kernel and a row reduction");
    try {
        const auto device_x = cuda::copy_to_device(array_view<f32>(x, {count}));
        const auto device_table = cuda::copy_to_device(array_view<f32>(table, {rows, 256}));
        cuda::executor<cuda_abi::model, target> run;
        const auto [device_y, device_total] = run(device_x, device_table);
        const array<f32> host_y = cuda::copy_to_host(device_y.view());
        const array<f32> host_total = cuda::copy_to_host(device_total.view());
        std::copy_n(host_y.data(), count, y);
        std::copy_n(host_total.data(), rows, total);
        return 0;
    } catch (const std::exception& failure) {
        std::snprintf(message, static_cast<std::size_t>(message_size), "%s", failure.what());
        return 1;
    }
}
