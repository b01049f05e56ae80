// Layer normalisation of rows.

#include "row_shapes.hpp"

namespace benchmark {
namespace {

using namespace toroid;

template <int Rows, int Columns> struct layer_norm_of_rows {
    constexpr auto operator()(tensor<bf16, Rows, Columns> x, tensor<bf16, Columns> weight,
                              tensor<bf16, Columns> bias) const {
        return layer_norm(x, weight, bias, 1e-5);
    }
};
const auto check_layer_norm = [](const auto& in, const auto& out) {
    largest_error error;
    const auto weight = all_of(std::get<1>(in)), bias = all_of(std::get<2>(in));
    for (const std::int64_t r : sampled(std::get<0>(in).extent(0))) {
        const auto x = row_of(std::get<0>(in), r), y = row_of(std::get<0>(out), r);
        const auto size = static_cast<double>(x.size());
        double mean = 0, variance = 0;
        for (const double each : x) mean += each / size;
        for (const double each : x) variance += (each - mean) * (each - mean) / size;
        const double scale = 1 / std::sqrt(variance + 1e-5);
        for (std::size_t i = 0; i < y.size(); ++i)
            error.add(y[i], (x[i] - mean) * scale * weight[i] + bias[i],
                      (std::abs(x[i]) + std::abs(mean)) * scale * std::abs(weight[i]) + std::abs(bias[i]));
    }
    return error.value();
};

} // namespace

std::vector<row> layer_norm_rows() { return rows_of_every_shape<layer_norm_of_rows>("layernorm", check_layer_norm); }

} // namespace benchmark
