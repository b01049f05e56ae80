#pragma once
// weights: the parameters of a model in memory, shared and read-only for executors; load: from a safetensors file.

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toroid/expr/model.hpp>
#include <toroid/storage/aligned_buffer.hpp>
#include <toroid/storage/array_view.hpp>
#include <toroid/storage/safetensors.hpp>
#include <toroid/storage/shared_owner.hpp>

namespace toroid {

/// Name, dtype and extents of one parameter of a model.
struct parameter_info {
    std::string name;
    dtype type = dtype::f32;
    std::vector<std::int64_t> extents;
    std::size_t bytes = 0;
};

/// Parameters of a model in declaration order, with PyTorch-like dotted names. Extents are constants.
template <class Model> std::vector<parameter_info> parameters_of() {
    std::vector<parameter_info> result;
    Model model{};
    for_each_tensor(model, [&]<dtype T, dim... E>(const detail::path& name, tensor<T, E...>&) {
        static_assert((E.is_constant() && ...),
                      "toroid E038: weights: parameters have constant extents; make a symbolic one an input");
        parameter_info info;
        info.name.assign(name.value.text, static_cast<std::size_t>(name.length));
        info.type = T;
        info.extents = {E.constant()...};
        std::int64_t elements = 1;
        for (const std::int64_t extent : info.extents) elements *= extent;
        info.bytes = static_cast<std::size_t>(elements * size_of(T));
        result.push_back(std::move(info));
    });
    return result;
}

/// The parameters of a model. Copies share the memory; fill it before handing it to executors. Zero at first.
template <class Model> class weights {
public:
    weights() {
        state_->infos = parameters_of<Model>();
        state_->buffers.reserve(state_->infos.size());
        for (const parameter_info& info : state_->infos) {
            aligned_buffer& buffer = state_->buffers.emplace_back(info.bytes);
            if (info.bytes != 0) std::memset(buffer.data(), 0, info.bytes);
        }
    }

    [[nodiscard]] std::span<const parameter_info> parameters() const noexcept { return state_->infos; }
    /// Address of parameter `number`, 64-byte aligned.
    [[nodiscard]] void* data(int number) const { return state_->buffers.at(static_cast<std::size_t>(number)).data(); }

    /// A parameter as a view to read or fill: `w.view<f32>("fc1.weight")`. Throws `invalid_argument` for an unknown name
    /// or another dtype.
    template <dtype T> [[nodiscard]] mutable_array_view<T> view(std::string_view name) const {
        for (std::size_t i = 0; i < state_->infos.size(); ++i) {
            const parameter_info& info = state_->infos[i];
            if (info.name != name) continue;
            if (info.type != T)
                throw error(error_code::invalid_argument, "weights: parameter '" + info.name + "' is " +
                                                              std::string(name_of(info.type)) + ", not " +
                                                              std::string(name_of(T)));
            return mutable_array_view<T>(static_cast<storage_t<T>*>(data(static_cast<int>(i))), info.extents);
        }
        throw error(error_code::invalid_argument, "weights: the model has no parameter '" + std::string(name) + "'");
    }

private:
    struct state {
        std::vector<parameter_info> infos;
        std::vector<aligned_buffer> buffers;
    };
    detail::shared_owner<state> state_;
};

/// Reads the parameters of a model from a safetensors file. Names, dtypes and shapes are validated against the model
/// before any data is read; missing and extra tensors are errors. Throws toroid::error with one clear message.
template <class Model> weights<Model> load(const file_path& path, const safetensors_limits& limits = {}) {
    const safetensors_file file(path, limits);
    std::vector<expected_tensor> expected;
    weights<Model> result;
    expected.reserve(result.parameters().size());
    for (const parameter_info& info : result.parameters()) expected.push_back({info.name, info.type, info.extents});
    validate(file, expected);
    int number = 0;
    for (const parameter_info& info : result.parameters())
        file.read(*file.find(info.name), result.data(number++), info.bytes);
    return result;
}

} // namespace toroid
