// A language model of Llama's kind: 32 layers of causal attention with rotary positions and a gated MLP, in a std::array.

#include <array>

#include "device.hpp"

#ifndef LAYERS
#define LAYERS 32
#endif

namespace {

using namespace toroid;

constexpr auto B = symbol('B');
constexpr auto S = symbol('S');
constexpr int heads = 8;
constexpr int head_size = 32;
constexpr int width = heads * head_size;
constexpr int hidden = 688;
constexpr int words = 1000;

/// A linear layer without a bias.
template <int In, int Out> struct projection {
    BOOST_HANA_DEFINE_STRUCT(projection, (tensor<f32, Out, In>, weight));
    constexpr auto operator()(expression auto x) const { return matmul(x, transpose(weight)); }
};

struct norm {
    BOOST_HANA_DEFINE_STRUCT(norm, (tensor<f32, width>, weight));
    constexpr auto operator()(expression auto x) const { return rms_norm(x, weight); }
};

using angles = tensor<f32, S, head_size / 2>;

/// Rotates the halves of the last axis by an angle that depends on the position. x: [B, heads, S, head_size].
constexpr auto rotate(expression auto x, angles cosine, angles sine) {
    const auto [low, high] = chunk<-1, 2>(x);
    return concat<-1>(low * cosine - high * sine, high * cosine + low * sine);
}

struct attention {
    using square = projection<width, width>;
    BOOST_HANA_DEFINE_STRUCT(attention, (square, q_proj), (square, k_proj), (square, v_proj), (square, o_proj));

    static constexpr auto split_heads(expression auto x) {
        return permute<0, 2, 1, 3>(reshape<B, S, heads, head_size>(x));
    }
    constexpr auto operator()(expression auto x, angles cosine, angles sine) const {
        const auto query = rotate(split_heads(q_proj(x)), cosine, sine);
        const auto key = rotate(split_heads(k_proj(x)), cosine, sine);
        const auto row = unsqueeze<1>(x.trace().template arange<i64, S>());
        const auto column = unsqueeze<0>(x.trace().template arange<i64, S>());
        const auto scores = matmul(query, transpose(key)) * 0.17677669f;
        const auto mixed = matmul(softmax(where(column <= row, scores, -1e9f)), split_heads(v_proj(x)));
        return o_proj(reshape<B, S, width>(permute<0, 2, 1, 3>(mixed)));
    }
};

struct mlp {
    using widen = projection<width, hidden>;
    using narrow = projection<hidden, width>;
    BOOST_HANA_DEFINE_STRUCT(mlp, (widen, gate_proj), (widen, up_proj), (narrow, down_proj));
    constexpr auto operator()(expression auto x) const { return down_proj(silu(gate_proj(x)) * up_proj(x)); }
};

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (norm, input_layernorm), (attention, self_attn), (norm, post_attention_layernorm),
                             (mlp, feed_forward));
    constexpr auto operator()(expression auto x, angles cosine, angles sine) const {
        const auto attended = x + self_attn(input_layernorm(x), cosine, sine);
        return attended + feed_forward(post_attention_layernorm(attended));
    }
};

struct llama {
    using all_layers = std::array<layer, LAYERS>;
    using output = projection<width, words>;
    BOOST_HANA_DEFINE_STRUCT(llama, (all_layers, layers), (norm, last), (output, lm_head));

    constexpr auto operator()(tensor<f32, B, S, width> x, angles cosine, angles sine) const {
        for (const layer& each : layers) x = each(x, cosine, sine);
        return lm_head(last(x));
    }
};

static_assert(plan_of<llama>::extern_count() == 9 * LAYERS + 1);

} // namespace

device::array<f32> call(const device::array<f32>& x, const device::array<f32>& cosine, const device::array<f32>& sine) {
    return run<llama>(x, cosine, sine);
}
