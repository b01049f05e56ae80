// One kernel or two of every family, dtype width and length class, for tests/cuda/check_resources.py: ptxas must find
// registers for all of it. The name of a model is the name of its bound in resource_bounds.txt.

#include <toroid/cuda.hpp>

namespace families {

using namespace toroid;

/// The target is that of the architecture, as nvcc was told.
constexpr int architectures[] = {__CUDA_ARCH_LIST__};
using target = std::conditional_t<architectures[0] >= 900, targets::sm_90, targets::sm_80>;

constexpr auto B = symbol('B');
constexpr auto S = symbol('S');

//=== elements ===//

struct pointwise_f32 {
    constexpr auto operator()(tensor<f32, B, 1024> x, tensor<f32, B, 1024> y) const { return relu(x * 2 + y); }
};
struct pointwise_bf16 {
    constexpr auto operator()(tensor<bf16, B, 1024> x, tensor<bf16, B, 1024> y) const { return relu(x * 2 + y); }
};
struct pointwise_mixed {
    constexpr auto operator()(tensor<u8, B, 64> x, tensor<f64, B, 64> y) const {
        return std::tuple(to_dtype<f16>(x), y + x, to_dtype<f32>(y) > 1.0);
    }
};
struct pointwise_symbolic {
    constexpr auto operator()(tensor<f32, B, S> x, tensor<f32, S> y) const { return gelu(x + y); }
};
struct multi_output {
    constexpr auto operator()(tensor<f32, B, 256> x) const {
        return std::tuple(tanh(x), sigmoid(x), softplus(x), x > 0.0);
    }
};
struct residual_chain {
    constexpr auto operator()(tensor<bf16, B, 1024> x, tensor<bf16, 1024> y) const {
        auto z = x;
        for (int i = 0; i < 8; ++i) z = silu(z + y) * x;
        return z;
    }
};
struct transposed {
    constexpr auto operator()(tensor<f32, 128, B> x, tensor<f32, B, 128> y) const { return transpose(x) + y; }
};
struct transposed_bf16 {
    constexpr auto operator()(tensor<bf16, B, 64, S> x) const { return permute<0, 2, 1>(x) * 2.0; }
};
struct joined {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, B, 8> y) const { return concat<1>(relu(x), tanh(y)); }
};

//=== formulas ===//

struct math_f32 {
    constexpr auto operator()(tensor<f32, B> x) const {
        return std::tuple(exp(x), log1p(x), erf(x), pow(x, x), sin(x), tan(x), fmod(x, 3.0));
    }
};
struct math_f64 {
    constexpr auto operator()(tensor<f64, B> x) const {
        return std::tuple(exp(x), log1p(x), erf(x), pow(x, x), tanh(x), fmod(x, 3.0));
    }
};
struct sine_f64 {
    constexpr auto operator()(tensor<f64, B> x) const { return sin(x); }
};

//=== rows ===//

template <dtype T, dim N> struct softmax_rows {
    constexpr auto operator()(tensor<T, B, N> x) const { return softmax(x); }
};
struct softmax_f32_64 : softmax_rows<f32, 64> {};
struct softmax_f32_1000 : softmax_rows<f32, 1000> {};
struct softmax_f32_16384 : softmax_rows<f32, 16384> {};
struct softmax_f32_262144 : softmax_rows<f32, 262144> {};
struct softmax_bf16_1024 : softmax_rows<bf16, 1024> {};
struct softmax_bf16_65536 : softmax_rows<bf16, 65536> {};
struct softmax_symbolic : softmax_rows<f32, S> {};

template <dtype T, dim N> struct layer_norm_rows {
    constexpr auto operator()(tensor<T, B, N> x, tensor<T, N> weight, tensor<T, N> bias) const {
        return layer_norm(x, weight, bias);
    }
};
struct layer_norm_f32_1024 : layer_norm_rows<f32, 1024> {};
struct layer_norm_f32_16384 : layer_norm_rows<f32, 16384> {};
struct layer_norm_bf16_4096 : layer_norm_rows<bf16, 4096> {};
struct layer_norm_symbolic : layer_norm_rows<f32, S> {};

struct rms_norm_bf16_4096 {
    constexpr auto operator()(tensor<bf16, B, 4096> x, tensor<bf16, 4096> weight) const { return rms_norm(x, weight); }
};
struct statistics_f32_1000 {
    constexpr auto operator()(tensor<f32, B, 1000> x) const {
        return std::tuple(sum<-1>(x), var<-1>(x), max<-1>(x), any<-1>(x));
    }
};
struct argmax_rows {
    constexpr auto operator()(tensor<f32, B, 1024> x) const { return argmax<-1>(x); }
};
struct sum_f64_rows {
    constexpr auto operator()(tensor<f64, B, 4096> x) const { return sum<-1>(x); }
};
struct sum_symbolic_rows {
    constexpr auto operator()(tensor<bf16, B, S> x) const { return sum<-1>(x); }
};

//=== columns, and everything ===//

struct sum_columns {
    constexpr auto operator()(tensor<f32, B, 1024> x) const { return sum<0>(x); }
};
struct softmax_columns {
    constexpr auto operator()(tensor<f32, B, S> x) const { return softmax<0>(x); }
};
struct argmax_columns {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return argmax<0>(x); }
};
struct sum_everything {
    constexpr auto operator()(tensor<f32, B, S> x) const { return sum(x); }
};
struct argmax_everything {
    constexpr auto operator()(tensor<f32, B, S> x) const { return argmax(x); }
};
struct sum_outer_and_inner {
    constexpr auto operator()(tensor<f32, B, 16, S> x) const { return sum<0, 2>(x); }
};

//=== what the models are there for ===//

template <class Model> using net = program<Model, target>;
template <class Model> constexpr cuda::kernel_plan plan = cuda::plan_of<net<Model>, 0>;
constexpr bool has_clusters = target::architecture >= 90;

static_assert(plan<pointwise_f32>.family == cuda::kernel_family::pointwise && plan<pointwise_f32>.vector == 4);
static_assert(plan<pointwise_bf16>.vector == 8);
static_assert(plan<transposed>.family == cuda::kernel_family::tile);
static_assert(plan<softmax_f32_64>.family == cuda::kernel_family::row && plan<softmax_f32_64>.team <= 32);
static_assert(plan<softmax_f32_16384>.family == cuda::kernel_family::row);
static_assert(plan<softmax_f32_262144>.family ==
              (has_clusters ? cuda::kernel_family::row : cuda::kernel_family::row_loop));
static_assert(!has_clusters || plan<softmax_f32_262144>.cluster == 16);
static_assert(plan<softmax_symbolic>.family == cuda::kernel_family::row_loop);
static_assert(plan<sum_columns>.family == cuda::kernel_family::column);
static_assert(plan<sum_everything>.family == cuda::kernel_family::row_loop);

//=== every kernel of every model ===//

template <class Model> void instantiate(const void** at) {
    [&]<int... D>(std::integer_sequence<int, D...>) {
        ((*at++ = reinterpret_cast<const void*>(cuda::fused_kernel<net<Model>, D>)), ...);
    }(std::make_integer_sequence<int, net<Model>::definition_count()>{});
}
template <class... Model> void instantiate_all(const void** at) { (instantiate<Model>(at), ...); }

} // namespace families

void addresses(const void** at) {
    using namespace families;
    instantiate_all<pointwise_f32, pointwise_bf16, pointwise_mixed, pointwise_symbolic, families::multi_output,
                    residual_chain, transposed, transposed_bf16, joined, math_f32, math_f64, sine_f64, softmax_f32_64,
                    softmax_f32_1000, softmax_f32_16384, softmax_f32_262144, softmax_bf16_1024, softmax_bf16_65536,
                    softmax_symbolic, layer_norm_f32_1024, layer_norm_f32_16384, layer_norm_bf16_4096,
                    layer_norm_symbolic, rms_norm_bf16_4096, statistics_f32_1000, families::argmax_rows, sum_f64_rows,
                    sum_symbolic_rows, sum_columns, softmax_columns, argmax_columns, sum_everything, argmax_everything,
                    sum_outer_and_inner>(at);
}
