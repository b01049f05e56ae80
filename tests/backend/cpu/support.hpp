#pragma once
// What the tests of the executor share: numbers, and comparison of a model's run with the interpreter.

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>

#include <toroid/backend/cpu/executor.hpp>
#include <toroid/reference/arrays.hpp>
#include <toroid/reference/interpreter.hpp>

namespace toroid::tests {

/// Evenly distributed numbers, the same for the same seed.
template <dtype T> array<T> numbers(const extent_list& extents, unsigned seed = 1, double low = -2, double high = 2) {
    std::mt19937 random(seed);
    auto result = array<T>::uninitialized(extents);
    for (auto& element : result.span()) {
        const double unit = static_cast<double>(random()) / 4294967296.0;
        element = static_cast<storage_t<T>>(static_cast<compute_t<T>>(low + (high - low) * unit));
    }
    return result;
}

/// Weights with every f32 parameter filled.
template <class Model> weights<Model> random_weights(unsigned seed = 100) {
    weights<Model> result;
    for (const parameter_info& info : result.parameters()) {
        auto view = result.template view<f32>(info.name);
        const array<f32> values = numbers<f32>(extent_list(info.extents), seed++, -0.5, 0.5);
        std::copy(values.span().begin(), values.span().end(), view.data());
    }
    return result;
}

template <class Model> growable<reference_tensor> references_of(const weights<Model>& w) {
    growable<reference_tensor> result;
    for (const parameter_info& info : w.parameters()) result.push(make_reference(w.template view<f32>(info.name)));
    return result;
}

template <dtype T> growable<reference_tensor> results_as_references(const array<T>& y) {
    return references(make_reference(y));
}
template <class... Array> growable<reference_tensor> results_as_references(const std::tuple<Array...>& y) {
    return std::apply([](const auto&... each) { return references(make_reference(each)...); }, y);
}

/// Runs a model on the CPU and in the interpreter; true when every output agrees.
template <class Model, class Target = targets::cpu, dtype... T>
bool agrees_with_interpreter(double relative, const array<T>&... inputs) {
    const weights<Model> w = random_weights<Model>();
    cpu::executor<Model, Target> run(w);
    const auto got = results_as_references(run(inputs.view()...));
    const auto wanted = evaluate<Model>(references(make_reference(inputs)...), references_of(w));
    if (got.size() != wanted.size()) return false;
    for (int i = 0; i < got.size(); ++i)
        if (!almost_equal(got[i], wanted[i], relative)) return false;
    return true;
}

/// True when two arrays hold the same bytes.
template <dtype T> bool same_bits(const array<T>& a, const array<T>& b) {
    return a.extents() == b.extents() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

} // namespace toroid::tests
