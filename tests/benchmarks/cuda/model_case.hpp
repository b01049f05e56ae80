#pragma once
// model_case: a model of constant extents with its executor, and random inputs and outputs enough that the second level
// cache holds none of them when they come round again.

#include <cmath>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>

#include <toroid/cuda.hpp>
#include <toroid/toroid.hpp>

#include "case.hpp"

namespace benchmark {

inline constexpr int architectures[] = {__CUDA_ARCH_LIST__};
/// What the programs are compiled for: the architecture that nvcc builds for.
using target = std::conditional_t<(architectures[0] >= 900), toroid::targets::sm_90, toroid::targets::sm_80>;

/// Bytes of all inputs and outputs together, at least.
inline constexpr double rotated_bytes = 200e6;

template <class Tensor> struct device_array;
template <dtype T, toroid::dim... E> struct device_array<toroid::tensor<T, E...>> {
    using type = toroid::cuda::array<T>;
    static type make(cudaStream_t stream) {
        return type::uninitialized(toroid::extent_list({E.constant()...}), stream);
    }
    static constexpr double bytes = (static_cast<double>(E.constant()) * ... * toroid::size_of(T));
};

template <class Result> struct result_list {
    using type = toroid::type_list<Result>;
};
template <class... Each> struct result_list<std::tuple<Each...>> {
    using type = toroid::type_list<Each...>;
};

/// Normal values of variance 1 / fan-in for matrices, 1 for vectors; the same in every call.
template <class Model> toroid::weights<Model> random_weights() {
    toroid::weights<Model> result;
    std::mt19937 random(1);
    for (const toroid::parameter_info& info : result.parameters()) {
        const double scale = info.extents.size() < 2 ? 1 : 1 / std::sqrt(static_cast<double>(info.extents.back()));
        std::normal_distribution<float> normal(0, static_cast<float>(scale));
        const toroid::mutable_array_view<dtype::f32> values = result.template view<dtype::f32>(info.name);
        for (std::int64_t i = 0; i < values.size(); ++i) values.data()[i] = normal(random);
    }
    return result;
}

/// `Check` is called with the inputs and the outputs of one set and gives the largest error.
template <class Model, class Check, class Inputs = typename toroid::signature<Model>::inputs,
          class Outputs = typename result_list<typename toroid::signature<Model>::result>::type>
class model_case;
template <class Model, class Check, class... In, class... Out>
class model_case<Model, Check, toroid::type_list<In...>, toroid::type_list<Out...>> {
public:
    using inputs = std::tuple<typename device_array<In>::type...>;
    using outputs = std::tuple<typename device_array<Out>::type...>;

    /// Integer inputs have values in [0, integers_below).
    explicit model_case(Check check, std::int64_t integers_below = 1)
        : run_(random_weights<Model>(), options()), check_(std::move(check)) {
        std::uint64_t seed = 0;
        for (int i = 0; i < sets(); ++i) {
            inputs_.emplace_back(device_array<In>::make(stream_)...);
            outputs_.emplace_back(device_array<Out>::make(stream_)...);
            std::apply([&](auto&... x) { (fill(x, ++seed, integers_below, stream_), ...); }, inputs_.back());
        }
    }

    [[nodiscard]] cudaStream_t work() const { return stream_; }
    [[nodiscard]] static double bytes() {
        return (device_array<In>::bytes + ... + 0) + (device_array<Out>::bytes + ...);
    }
    [[nodiscard]] static int sets() {
        const double enough = std::ceil(rotated_bytes / bytes());
        return enough < 2 ? 2 : enough > 8 ? 8 : static_cast<int>(enough);
    }
    void call(int set) {
        std::apply(
            [&](auto&... y) {
                std::apply([&](const auto&... x) { run_.into(stream_, y.mutable_view()..., x.view()...); },
                           inputs_[static_cast<std::size_t>(set)]);
            },
            outputs_[static_cast<std::size_t>(set)]);
    }
    void poison_outputs() {
        for (outputs& each : outputs_) std::apply([&](auto&... y) { (poison(y, stream_), ...); }, each);
    }
    [[nodiscard]] double error(int set) const {
        return check_(inputs_[static_cast<std::size_t>(set)], outputs_[static_cast<std::size_t>(set)]);
    }

private:
    toroid::cuda::executor_options options() const {
        toroid::cuda::executor_options result;
        result.stream = stream_;
        return result;
    }

    stream stream_; // first: arrays are freed on it
    toroid::cuda::executor<Model, target> run_;
    Check check_;
    std::vector<inputs> inputs_;
    std::vector<outputs> outputs_;
};

/// Largest error that is accepted: 8 roundings to bf16; about 100 to f32, since sums are long.
template <class Model> constexpr double tolerance_of() {
    return []<class First, class... Rest>(toroid::type_list<First, Rest...>) {
        return First::type == dtype::bf16 ? 1.6e-2 : 1e-5;
    }(typename result_list<typename toroid::signature<Model>::result>::type{});
}

/// The row of a model.
template <class Model, class Check>
row model_row(std::string name, Check check, double flops = 0, std::int64_t integers_below = 1) {
    return {std::move(name), [=] {
                prepared result = prepare_case(std::make_shared<model_case<Model, Check>>(check, integers_below),
                                               tolerance_of<Model>());
                result.flops = flops;
                result.launches = toroid::program<Model, target>::launch_count();
                return result;
            }};
}

//=== what checks look at ===//

/// A few rows of `rows`, the first and the last among them.
inline std::vector<std::int64_t> sampled(std::int64_t rows) { return {0, 1, rows / 3, rows / 2 + 1, rows - 1}; }

/// Row `number` of an array of two axes, on the host.
template <dtype T> std::vector<double> row_of(const toroid::cuda::array<T>& x, std::int64_t number) {
    return read(x, number * x.extent(1), x.extent(1));
}
template <dtype T> std::vector<double> all_of(const toroid::cuda::array<T>& x) { return read(x, 0, x.size()); }

} // namespace benchmark
