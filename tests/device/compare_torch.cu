// Writes inputs and results of a few models of the GPU to a safetensors file, for compare_torch.py.
//
//     compare_torch FILE

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <toroid/nn/activation.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/storage/safetensors_write.hpp>

#include "support.hpp"

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

template <dtype T, int N> struct softmax_model {
    static constexpr const char* name = "softmax";
    constexpr auto operator()(tensor<T, B, N> x) const { return softmax(x); }
};
template <dtype T, int N> struct log_softmax_model {
    static constexpr const char* name = "log_softmax";
    constexpr auto operator()(tensor<T, B, N> x) const { return log_softmax(x); }
};
template <dtype T, int N> struct layer_norm_model {
    static constexpr const char* name = "layer_norm";
    constexpr auto operator()(tensor<T, B, N> x, tensor<T, N> weight, tensor<T, N> bias) const {
        return layer_norm(x, weight, bias);
    }
};
template <dtype T, int N> struct rms_norm_model {
    static constexpr const char* name = "rms_norm";
    constexpr auto operator()(tensor<T, B, N> x, tensor<T, N> weight) const { return rms_norm(x, weight); }
};
template <dtype T, int N> struct gelu_model {
    static constexpr const char* name = "gelu";
    constexpr auto operator()(tensor<T, B, N> x) const { return gelu(x); }
};
template <dtype T, int N> struct variance_model {
    static constexpr const char* name = "var";
    constexpr auto operator()(tensor<T, B, N> x) const { return var<-1>(x); }
};
template <dtype T, int N> struct argmax_model {
    static constexpr const char* name = "argmax";
    constexpr auto operator()(tensor<T, B, N> x) const { return argmax<-1>(x); }
};
template <dtype T, int N> struct matmul_model {
    static constexpr const char* name = "matmul";
    constexpr auto operator()(tensor<T, B, N> x, tensor<T, N, 96> y) const { return matmul(x, y); }
};
template <dtype T, int N> struct linear_gelu_model {
    static constexpr const char* name = "linear_gelu";
    constexpr auto operator()(tensor<T, B, N> x, tensor<T, 96, N> weight, tensor<T, 96> bias) const {
        return gelu(matmul(x, transpose(weight)) + bias);
    }
};

/// Tensors to write, and the memory behind them.
class dump {
public:
    /// Runs a model, and keeps `<model>.<dtype>.<length>.<what>` for each input and the result.
    template <template <dtype, int> class Model, dtype T, int N, class... Inputs> void run(const Inputs&... inputs) {
        tests::host_executor<Model<T, N>> executor;
        const std::string prefix =
            std::string(Model<T, N>::name) + "." + std::string(name_of(T)) + "." + std::to_string(N) + ".";
        int number = 0;
        (keep(prefix + "input" + std::to_string(number++), inputs), ...);
        keep(prefix + "result", executor(inputs...));
    }
    /// Every model of one dtype and length of rows.
    template <dtype T, int N> void run_all(std::int64_t rows) {
        const array<T> x = tests::numbers<T>({rows, N}, 1, -4, 4);
        const array<T> weight = tests::numbers<T>({N}, 2);
        const array<T> bias = tests::numbers<T>({N}, 3);
        run<softmax_model, T, N>(x);
        run<log_softmax_model, T, N>(x);
        run<layer_norm_model, T, N>(x, weight, bias);
        run<rms_norm_model, T, N>(x, weight);
        run<gelu_model, T, N>(x);
        run<variance_model, T, N>(x);
        run<argmax_model, T, N>(x);
    }
    template <dtype T, int N> void run_products(std::int64_t rows) {
        const array<T> x = tests::numbers<T>({rows, N}, 1);
        run<matmul_model, T, N>(x, tests::numbers<T>({N, 96}, 2));
        run<linear_gelu_model, T, N>(x, tests::numbers<T>({96, N}, 3, -0.2, 0.2), tests::numbers<T>({96}, 4));
    }
    void write(const std::string& path) const { write_safetensors(path, tensors_); }

private:
    template <dtype T> void keep(const std::string& name, const array<T>& x) {
        const auto kept = std::make_shared<array<T>>(x);
        memory_.push_back(kept);
        tensors_.emplace_back(name, kept->view());
    }

    std::vector<std::shared_ptr<void>> memory_;
    std::vector<safetensors_tensor> tensors_;
};

} // namespace

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: compare_torch FILE\n");
        return 2;
    }
    try {
        dump results;
        results.run_all<f32, 1000>(65);
        results.run_all<bf16, 4096>(33);
        results.run_products<f32, 256>(65);
        results.run_products<bf16, 256>(65);
        results.run_products<f16, 64>(33);
        results.write(words[1]);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "compare_torch: %s\n", failure.what());
        return 1;
    }
    return 0;
}
