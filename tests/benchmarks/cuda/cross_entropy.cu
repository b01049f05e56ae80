// Cross entropy of rows with a class each, in f32, not reduced.

#include "model_case.hpp"

namespace benchmark {
namespace {

using namespace toroid;

inline constexpr int examples = 8192, classes = 32768;
struct cross_entropy {
    constexpr auto operator()(trace& t, tensor<bf16, examples, classes> x, tensor<i64, examples> wanted) const {
        const auto scores = to_dtype<f32>(x);
        const auto chosen = t.arange<i32, classes>() == unsqueeze<-1>(to_dtype<i32>(wanted));
        return logsumexp<-1>(scores) - sum<-1>(where(chosen, scores, 0));
    }
};
const auto check_cross_entropy = [](const auto& in, const auto& out) {
    largest_error error;
    const auto wanted = all_of(std::get<1>(in)), got = all_of(std::get<0>(out));
    for (const std::int64_t r : sampled(examples)) {
        const auto x = row_of(std::get<0>(in), r);
        double total = 0;
        for (const double each : x) total += std::exp(each);
        const double chosen = x[static_cast<std::size_t>(wanted[static_cast<std::size_t>(r)])];
        error.add(got[static_cast<std::size_t>(r)], std::log(total) - chosen, std::log(total) + std::abs(chosen));
    }
    return error.value();
};

} // namespace

std::vector<row> cross_entropy_rows() {
    return {model_row<cross_entropy>("cross_entropy_bf16_8192x32768", check_cross_entropy, 0, classes)};
}

} // namespace benchmark
