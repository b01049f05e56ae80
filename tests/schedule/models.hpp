#pragma once
// Small models that the tests of the scheduler, of the Wrapper IR and of the CPU backend share.

#include <tuple>

#include <toroid/expr/expr.hpp>
#include <toroid/nn/activation.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/wrapper/program.hpp>

namespace toroid::tests {

inline constexpr dim B = symbol('B');
inline constexpr dim S = symbol('S');

/// Two linear layers and a softmax.
struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<64, 128>, fc1), (nn::linear<128, 10>, fc2));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return softmax(fc2(relu(fc1(x)))); }
};

struct softmax_rows {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return softmax(x); }
};
/// Softmax over the middle axis: reduced elements are not contiguous.
struct softmax_middle {
    constexpr auto operator()(tensor<f32, 3, B, 5> x) const { return softmax<1>(x); }
};
struct log_softmax_rows {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return log_softmax(x); }
};
struct logsumexp_rows {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return logsumexp<-1>(x); }
};
struct layer_norm_rows {
    BOOST_HANA_DEFINE_STRUCT(layer_norm_rows, (tensor<f32, 64>, weight), (tensor<f32, 64>, bias));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return layer_norm(x, weight, bias); }
};
struct rms_norm_rows {
    BOOST_HANA_DEFINE_STRUCT(rms_norm_rows, (tensor<f32, 64>, weight));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return rms_norm(x, weight); }
};
struct variance_rows {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return var<-1>(x); }
};
struct argmax_rows {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return argmax<-1>(x); }
};
struct residual_chain {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        for (int i = 0; i < 4; ++i) x = x + exp(x) * x;
        return x;
    }
};
struct attention {
    constexpr auto operator()(tensor<f32, B, 4, S, 16> q, tensor<f32, B, 4, S, 16> k,
                              tensor<f32, B, 4, S, 16> v) const {
        const auto scores = named(matmul(q, transpose(k)) * 0.25, "scores");
        const auto probs = named(softmax(scores), "probs");
        return named(matmul(probs, v), "mixed");
    }
};
/// Heads are split off by a reshape and a permutation, mixed and put together again.
struct attention_heads {
    constexpr auto operator()(tensor<f32, B, S, 64> x) const {
        const auto heads = permute<0, 2, 1, 3>(reshape<B, S, 4, 16>(x));
        const auto probs = named(softmax(matmul(heads, transpose(heads))), "probs");
        return named(reshape<B, S, 64>(permute<0, 2, 1, 3>(matmul(probs, heads))), "merged");
    }
};
/// One pass over x gives four results.
struct siblings {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        return std::tuple(relu(x), tanh(x), sum<-1>(x), max<-1>(x));
    }
};
struct transpose_add {
    constexpr auto operator()(tensor<f32, 64, B> x, tensor<f32, B, 64> y) const { return transpose(x) + y; }
};
struct moments {
    BOOST_HANA_DEFINE_STRUCT(moments, (tensor<f32, B>, total), (tensor<f32, B>, largest), (tensor<f32, B, 64>, scaled));
};
struct multi_output {
    constexpr moments operator()(tensor<f32, B, 64> x) const {
        const auto total = sum<-1>(x, keepdim);
        return {squeeze<-1>(total), max<-1>(x), x / total};
    }
};
struct sum_two_axes {
    constexpr auto operator()(tensor<f32, 8, B, 16> x) const { return sum<0, 2>(x * 2); }
};
struct broadcast_bias {
    BOOST_HANA_DEFINE_STRUCT(broadcast_bias, (tensor<f32, 64>, bias), (tensor<f32, 1>, scale));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return relu((x + bias) * scale); }
};
struct concat_two {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, B, 8> y) const { return concat<1>(relu(x), tanh(y)); }
};
/// The halves of one tensor multiply: slices are addresses, not copies.
struct gated_unit {
    constexpr auto operator()(tensor<f32, B, 32> x) const {
        const auto halves = chunk<-1, 2>(x);
        return halves[0] * sigmoid(halves[1]);
    }
};
struct block {
    BOOST_HANA_DEFINE_STRUCT(block, (nn::linear<32, 32>, up), (nn::linear<32, 32>, down));
    constexpr auto operator()(tensor<f32, B, 32> x) const { return x + down(gelu(up(layer_norm(x)))); }
};
/// Twelve equal layers: bodies are defined once.
struct twelve_blocks {
    BOOST_HANA_DEFINE_STRUCT(twelve_blocks, (std::array<block, 12>, blocks));
    constexpr auto operator()(tensor<f32, B, 32> x) const {
        for (const block& layer : blocks) x = layer(x);
        return x;
    }
};

} // namespace toroid::tests
