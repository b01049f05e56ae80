#pragma once
// Runs models on the GPU with host arrays in and out, so that the cases of the CPU's tests run there too.

#include <tuple>
#include <utility>

#include <toroid/cuda.hpp>
#include <toroid/storage/outputs.hpp>

#include "../backend/cpu/support.hpp"

namespace toroid::tests {

namespace detail {

template <dtype T> array<T> downloaded(const cuda::array<T>& y) { return cuda::copy_to_host(y.view()); }
template <class Result, dtype T> Result downloaded_results(const cuda::array<T>& y) { return downloaded(y); }
template <class Result, class... Y> Result downloaded_results(const std::tuple<Y...>& y) {
    return std::apply([](const auto&... each) { return Result(downloaded(each)...); }, y);
}

template <class Model, class Target, class Inputs> class host_executor_base;
template <class Model, class Target, class... Inputs> class host_executor_base<Model, Target, type_list<Inputs...>> {
public:
    using program_type = program<Model, Target>;
    using result_type = outputs_t<typename program_type::result>;

    explicit host_executor_base(const weights<Model>& parameters = {}, const cuda::executor_options& options = {})
        : run_(parameters, options) {}
    explicit host_executor_base(const cuda::weights<Model>& parameters, const cuda::executor_options& options = {})
        : run_(parameters, options) {}

    /// Uploads the inputs, runs the model, and downloads the results.
    result_type operator()(const array_view<Inputs::type>&... inputs) {
        const std::tuple<cuda::array<Inputs::type>...> uploaded(cuda::copy_to_device(inputs)...);
        const auto results = std::apply([&](const auto&... each) { return run_(each.view()...); }, uploaded);
        run_.synchronize();
        return downloaded_results<result_type>(results);
    }

    [[nodiscard]] cuda::executor<Model, Target>& device() { return run_; }

private:
    cuda::executor<Model, Target> run_;
};

} // namespace detail

/// cuda::executor behind the interface of cpu::executor: host views in, host arrays out.
template <class Model, class Target = targets::sm_90>
class host_executor : public detail::host_executor_base<Model, Target, typename program<Model, Target>::inputs> {
    using base = detail::host_executor_base<Model, Target, typename program<Model, Target>::inputs>;

public:
    using base::base;
};

/// True when a model on the GPU gives what the interpreter gives, and the same bits when it runs once more.
template <class Model, class Target = targets::sm_90, dtype... T>
bool agrees_on_device(double relative, const array<T>&... inputs) {
    const weights<Model> w = random_weights<Model>();
    host_executor<Model, Target> run(w);
    const auto got = results_as_references(run(inputs.view()...));
    const auto again = results_as_references(run(inputs.view()...));
    const auto wanted = evaluate<Model>(references(make_reference(inputs)...), references_of(w));
    if (got.size() != wanted.size()) return false;
    for (int i = 0; i < got.size(); ++i)
        if (!almost_equal(got[i], again[i], 0) || !almost_equal(got[i], wanted[i], relative)) return false;
    return true;
}

} // namespace toroid::tests
