// The digits classifier (64-256-10, weights of examples/digits) at two batch sizes, by our matrix product and by CBLAS.

#include <memory>

#include <toroid/toroid.hpp>

#include "rows.hpp"

namespace benchmark {
namespace {

using namespace toroid;

inline constexpr auto B = symbol('B');

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<64, 256>, fc1), (nn::linear<256, 10>, fc2));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return softmax(fc2(relu(fc1(x)))); }
};

template <class Matmul> row classifier_row(std::string name, std::int64_t batch) {
    return {std::move(name), [batch] {
                struct operands {
                    cpu::executor<classifier, targets::cpu, Matmul> run;
                    array<f32> y, x;
                };
                const auto data = std::make_shared<operands>(
                    operands{cpu::executor<classifier, targets::cpu, Matmul>{
                                 load<classifier>(TOROID_SOURCE_DIR "/examples/digits/weights.safetensors")},
                             array<f32>({batch, 10}), array<f32>({batch, 64})});
                for (std::int64_t i = 0; i < batch * 64; ++i) data->x.data()[i] = static_cast<float>(i % 17) / 16.0f;
                const double size = static_cast<double>(batch);
                return prepared{4.0 * (64 * 256 + 256 + 256 * 10 + 10 + size * 74), 2.0 * size * (64 * 256 + 256 * 10),
                                [data] { data->run.into(data->y, data->x); }};
            }};
}

} // namespace

std::vector<row> model_rows() {
    std::vector<row> rows;
    for (const std::int64_t batch : {1, 256}) {
        const std::string name = "digits_" + std::to_string(batch);
        rows.push_back(classifier_row<native_matmul>(name, batch));
#if defined(TOROID_WITH_CBLAS)
        rows.push_back(classifier_row<cblas_matmul>(name + "/cblas", batch));
#endif
    }
    return rows;
}

} // namespace benchmark
