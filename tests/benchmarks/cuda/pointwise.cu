// One element at a time: a chain over three operands, a bias, a transpose.

#include "model_case.hpp"

namespace benchmark {
namespace {

using namespace toroid;

double gelu_tanh_of(double x) { return 0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x))); }

inline constexpr int chained = 1 << 27;
template <dtype T> struct chain {
    constexpr auto operator()(tensor<T, chained> a, tensor<T, chained> b, tensor<T, chained> c) const {
        return gelu_tanh(a * b + c) * sigmoid(a);
    }
};
const auto check_chain = [](const auto& in, const auto& out) {
    constexpr std::int64_t length = 4096;
    largest_error error;
    for (const std::int64_t part : sampled(chained / length)) {
        const auto a = read(std::get<0>(in), part * length, length);
        const auto b = read(std::get<1>(in), part * length, length);
        const auto c = read(std::get<2>(in), part * length, length);
        const auto y = read(std::get<0>(out), part * length, length);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double gate = 1 / (1 + std::exp(-a[i]));
            error.add(y[i], gelu_tanh_of(a[i] * b[i] + c[i]) * gate, (std::abs(a[i] * b[i]) + std::abs(c[i])) * gate);
        }
    }
    return error.value();
};

struct bias_gelu {
    constexpr auto operator()(tensor<bf16, 8192, 8192> x, tensor<bf16, 8192> b) const { return gelu_tanh(x + b); }
};
const auto check_bias_gelu = [](const auto& in, const auto& out) {
    largest_error error;
    const auto b = all_of(std::get<1>(in));
    for (const std::int64_t r : sampled(8192)) {
        const auto x = row_of(std::get<0>(in), r), y = row_of(std::get<0>(out), r);
        for (std::size_t i = 0; i < y.size(); ++i)
            error.add(y[i], gelu_tanh_of(x[i] + b[i]), std::abs(x[i]) + std::abs(b[i]));
    }
    return error.value();
};

struct transpose_add {
    constexpr auto operator()(tensor<f32, 8192, 8192> x, tensor<f32, 8192, 8192> y) const { return transpose(x) + y; }
};
const auto check_transpose_add = [](const auto& in, const auto& out) {
    largest_error error;
    for (const std::int64_t r : sampled(8192)) {
        const auto column = read(std::get<0>(in), r, 8192, 8192);
        const auto y = row_of(std::get<1>(in), r), z = row_of(std::get<0>(out), r);
        for (std::size_t i = 0; i < z.size(); ++i)
            error.add(z[i], column[i] + y[i], std::abs(column[i]) + std::abs(y[i]));
    }
    return error.value();
};

} // namespace

std::vector<row> pointwise_rows() {
    return {
        model_row<chain<bf16>>("pointwise_bf16_128M", check_chain),
        model_row<chain<f32>>("pointwise_f32_128M", check_chain),
        model_row<bias_gelu>("bias_gelu_bf16_8192x8192", check_bias_gelu),
        model_row<transpose_add>("transpose_add_f32_8192x8192", check_transpose_add),
    };
}

} // namespace benchmark
