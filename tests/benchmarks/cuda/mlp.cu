// A small classifier: the time of a call with the host, and its time on the GPU.

#include <chrono>

#include "model_case.hpp"

namespace benchmark {
namespace {

using namespace toroid;

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<784, 256>, fc1), (nn::linear<256, 128>, fc2),
                             (nn::linear<128, 10>, fc3));
    constexpr auto operator()(tensor<f32, 64, 784> x) const { return softmax(fc3(relu(fc2(relu(fc1(x)))))); }
};
inline constexpr double flops = 2.0 * 64 * (784 * 256 + 256 * 128 + 128 * 10);

std::vector<double> linear_of(const weights<classifier>& w, const std::string& layer, const std::vector<double>& x) {
    const auto weight = w.view<f32>(layer + ".weight"), bias = w.view<f32>(layer + ".bias");
    std::vector<double> y;
    for (std::int64_t i = 0; i < bias.size(); ++i) {
        double total = bias.data()[i];
        for (std::size_t k = 0; k < x.size(); ++k)
            total += x[k] * weight.data()[i * static_cast<std::int64_t>(x.size()) + static_cast<std::int64_t>(k)];
        y.push_back(total);
    }
    return y;
}
std::vector<double> relu_of(std::vector<double> x) {
    for (double& each : x) each = std::max(each, 0.0);
    return x;
}

const auto check_classifier = [](const auto& in, const auto& out) {
    const weights<classifier> w = random_weights<classifier>();
    largest_error error;
    for (const std::int64_t r : sampled(64)) {
        const auto y = row_of(std::get<0>(out), r);
        const auto scores =
            linear_of(w, "fc3", relu_of(linear_of(w, "fc2", relu_of(linear_of(w, "fc1", row_of(std::get<0>(in), r))))));
        double total = 0;
        for (const double each : scores) total += std::exp(each);
        for (std::size_t i = 0; i < y.size(); ++i)
            error.add(y[i], std::exp(scores[i]) / total, std::exp(scores[i]) / total);
    }
    return error.value();
};

/// Calls that follow each other without waiting, until the queue is empty.
prepared prepare_calls() {
    constexpr int calls = 200;
    using data_type = model_case<classifier, decltype(check_classifier)>;
    const auto data = std::make_shared<data_type>(check_classifier);
    const auto many = [data] {
        for (int i = 0; i < calls; ++i) data->call(0);
        check(cudaStreamSynchronize(data->work()), "cudaStreamSynchronize");
    };
    many();
    data->poison_outputs();
    many();

    prepared result;
    result.flops = flops;
    result.launches = program<classifier, target>::launch_count();
    result.calls = calls;
    result.tolerance = tolerance_of<classifier>();
    result.error = data->error(0);
    result.seconds = [many] {
        many();
        const auto start = std::chrono::steady_clock::now();
        many();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
    };
    return result;
}

} // namespace

std::vector<row> mlp_rows() {
    return {{"mlp_f32_64_call", prepare_calls}, model_row<classifier>("mlp_f32_64", check_classifier, flops)};
}

} // namespace benchmark
