// Sums of everything and of columns.

#include "model_case.hpp"

namespace benchmark {
namespace {

using namespace toroid;

inline constexpr int summed = 1 << 28;
struct sum_all {
    constexpr auto operator()(tensor<f32, summed> x) const { return sum(x); }
};
struct column_sum {
    constexpr auto operator()(tensor<f32, 16384, 4096> x) const { return sum<0>(x); }
};

__global__ void add_in_double(const float* x, std::int64_t size, double* sums) {
    double total = 0, squares = 0;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
         i += std::int64_t{gridDim.x} * blockDim.x) {
        total += x[i];
        squares += static_cast<double>(x[i]) * x[i];
    }
    atomicAdd(sums, total);
    atomicAdd(sums + 1, squares);
}

// An element of the sum adds to the magnitude of its error as the steps of a random walk do.
const auto check_all = [](const auto& in, const auto& out) {
    cuda::array<f64> sums({2});
    const auto& x = std::get<0>(in);
    add_in_double<<<1024, 256>>>(x.data(), x.size(), sums.data());
    check(cudaGetLastError(), "add_in_double");
    const auto wanted = all_of(sums), got = all_of(std::get<0>(out));
    largest_error error;
    error.add(got[0], wanted[0], std::sqrt(wanted[1]));
    return error.value();
};
const auto check_columns = [](const auto& in, const auto& out) {
    largest_error error;
    const auto got = all_of(std::get<0>(out));
    for (const std::int64_t c : sampled(4096)) {
        double total = 0, squares = 0;
        for (const double each : read(std::get<0>(in), c, 16384, 4096)) {
            total += each;
            squares += each * each;
        }
        error.add(got[static_cast<std::size_t>(c)], total, std::sqrt(squares));
    }
    return error.value();
};

} // namespace

std::vector<row> sum_rows() {
    return {model_row<sum_all>("sum_all_f32_256M", check_all),
            model_row<column_sum>("colsum_f32_16384x4096", check_columns)};
}

} // namespace benchmark
