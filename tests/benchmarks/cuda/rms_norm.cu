// Root mean square normalisation of rows, alone and after a residual connection.

#include "row_shapes.hpp"

namespace benchmark {
namespace {

using namespace toroid;

inline constexpr double epsilon = 1e-6;

double inverse_root_mean_square(const std::vector<double>& x) {
    double total = 0;
    for (const double each : x) total += each * each;
    return 1 / std::sqrt(total / static_cast<double>(x.size()) + epsilon);
}

template <int Rows, int Columns> struct rms_norm_of_rows {
    constexpr auto operator()(tensor<bf16, Rows, Columns> x, tensor<bf16, Columns> weight) const {
        return rms_norm(x, weight, epsilon);
    }
};
const auto check_rms_norm = [](const auto& in, const auto& out) {
    largest_error error;
    const auto weight = all_of(std::get<1>(in));
    for (const std::int64_t r : sampled(std::get<0>(in).extent(0))) {
        const auto x = row_of(std::get<0>(in), r), y = row_of(std::get<0>(out), r);
        const double scale = inverse_root_mean_square(x);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double wanted = x[i] * scale * weight[i];
            error.add(y[i], wanted, std::abs(wanted));
        }
    }
    return error.value();
};

struct add_rms_norm {
    constexpr auto operator()(tensor<bf16, 8192, 4096> x, tensor<bf16, 8192, 4096> residual,
                              tensor<bf16, 4096> weight) const {
        const auto h = x + residual;
        return std::tuple(h, rms_norm(h, weight, epsilon));
    }
};
const auto check_add_rms_norm = [](const auto& in, const auto& out) {
    largest_error error;
    const auto weight = all_of(std::get<2>(in));
    for (const std::int64_t r : sampled(8192)) {
        const auto x = row_of(std::get<0>(in), r), residual = row_of(std::get<1>(in), r);
        const auto h = row_of(std::get<0>(out), r), y = row_of(std::get<1>(out), r);
        std::vector<double> added(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) added[i] = x[i] + residual[i];
        const double scale = inverse_root_mean_square(added);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double magnitude = std::abs(x[i]) + std::abs(residual[i]);
            error.add(h[i], added[i], magnitude);
            error.add(y[i], added[i] * scale * weight[i], magnitude * scale * std::abs(weight[i]));
        }
    }
    return error.value();
};

} // namespace

std::vector<row> rms_norm_rows() {
    std::vector<row> rows = rows_of_every_shape<rms_norm_of_rows>("rmsnorm", check_rms_norm);
    rows.push_back(model_row<add_rms_norm>("add_rmsnorm_bf16_8192x4096", check_add_rms_norm));
    return rows;
}

} // namespace benchmark
