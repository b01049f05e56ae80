// Softmax of rows.

#include "row_shapes.hpp"

namespace benchmark {
namespace {

using namespace toroid;

template <int Rows, int Columns> struct softmax_of_rows {
    constexpr auto operator()(tensor<bf16, Rows, Columns> x) const { return softmax(x); }
};
const auto check_softmax = [](const auto& in, const auto& out) {
    largest_error error;
    for (const std::int64_t r : sampled(std::get<0>(in).extent(0))) {
        const auto x = row_of(std::get<0>(in), r), y = row_of(std::get<0>(out), r);
        const double largest = *std::max_element(x.begin(), x.end());
        double total = 0;
        for (const double each : x) total += std::exp(each - largest);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double wanted = std::exp(x[i] - largest) / total;
            error.add(y[i], wanted, wanted);
        }
    }
    return error.value();
};

} // namespace

std::vector<row> softmax_rows() { return rows_of_every_shape<softmax_of_rows>("softmax", check_softmax); }

} // namespace benchmark
