// One generated kernel each: pointwise chains, rows, columns, a transpose, a sum.

#include <memory>
#include <tuple>

#include <toroid/toroid.hpp>

#include "rows.hpp"

namespace benchmark {
namespace {

using namespace toroid;

inline constexpr auto N = symbol('N');

struct chain {
    constexpr auto operator()(tensor<f32, N> x) const { return relu((x * 0.5f + 1.0f) * x - 0.25f) * 2.0f; }
};
struct exp_tanh_chain {
    constexpr auto operator()(tensor<f32, N> x) const { return tanh(exp(x * 0.5f + 1.0f) * 0.25f - x); }
};
struct row_softmax {
    constexpr auto operator()(tensor<f32, N, 1024> x) const { return softmax(x); }
};
struct row_layer_norm {
    constexpr auto operator()(tensor<f32, N, 1024> x) const { return layer_norm(x); }
};
struct column_sum {
    constexpr auto operator()(tensor<f32, N, 1024> x) const { return sum<0>(x); }
};
struct transpose_add {
    constexpr auto operator()(tensor<f32, 8192, 8192> x, tensor<f32, 8192, 8192> y) const { return transpose(x) + y; }
};
struct total {
    constexpr auto operator()(tensor<f32, N> x) const { return sum<0>(x); }
};

/// Values in [-1, 1) that are the same in every program.
array<f32> ramp(const extent_list& extents) {
    auto x = array<f32>::uninitialized(extents);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 2048) * (1.0f / 1024.0f) - 1.0f;
    return x;
}

/// A row of a model with inputs of the extents `in` and an output of the extents `out`.
template <class Model, class... In> row model_row(const char* name, extent_list out, In... in) {
    return {name, [out, in...] {
                struct operands {
                    cpu::executor<Model> run;
                    array<f32> y;
                    std::tuple<std::conditional_t<true, array<f32>, In>...> x;
                };
                const auto data =
                    std::make_shared<operands>(operands{cpu::executor<Model>{}, array<f32>(out), {ramp(in)...}});
                double elements = static_cast<double>(data->y.size());
                std::apply([&](const auto&... x) { ((elements += static_cast<double>(x.size())), ...); }, data->x);
                return prepared{4 * elements, 0, [data] {
                                    std::apply([&](const auto&... x) { data->run.into(data->y, x...); }, data->x);
                                }};
            }};
}

} // namespace

std::vector<row> kernel_rows() {
    const extent_list flat({64 << 20}), wide({32768, 1024}), square({8192, 8192});
    return {
        model_row<chain>("chain", flat, flat),
        model_row<exp_tanh_chain>("exp_tanh_chain", flat, flat),
        model_row<row_softmax>("softmax", wide, wide),
        model_row<row_layer_norm>("layer_norm", wide, wide),
        model_row<column_sum>("column_sum", extent_list({1024}), wide),
        model_row<transpose_add>("transpose_add", square, square, square),
        model_row<total>("sum", extent_list({}), flat),
    };
}

} // namespace benchmark
