#pragma once
// cpu::executor: runs a model on the CPU.

#include <optional>
#include <tuple>
#include <utility>

#include <toroid/backend/cpu/runtime.hpp>
#include <toroid/codegen/binding.hpp>
#include <toroid/storage/contiguous.hpp>
#include <toroid/storage/expected_result.hpp>
#include <toroid/storage/outputs.hpp>
#include <toroid/storage/weights.hpp>
#include <toroid/wrapper/program.hpp>

namespace toroid::cpu {

/// What an executor may be told: where to run, and who watches.
struct executor_options {
    thread_pool* pool = nullptr; ///< default_pool() when null
    std::optional<isa> instruction_set = {}; ///< active_isa() when empty; never above what the machine has
    launch_hooks hooks = {}; ///< called around every launch
    symbol_values maxima = {}; ///< largest symbol values: the arena is allocated for them at once
};

namespace detail {
template <class Model, class Target, class Matmul, class Inputs, class Outputs> class executor_base;
}

/// Runs a model on the CPU. Cheap to make, one per thread; weights are shared and read only.
/// `run(x)` returns owning arrays; `run.into(y, x)` writes into the caller's and allocates nothing once the arena is large
/// enough: from the start with constant extents, with a `check` that bounds the symbols, or with
/// `executor_options::maxima`. Inputs and outputs are contiguous; a strided input is an error, `contiguous(view)` makes a
/// copy. Throws toroid::error; `try_run` returns it instead.
template <class Model, class Target = targets::cpu, class Matmul = default_matmul>
class executor : public detail::executor_base<Model, Target, Matmul, typename program<Model, Target>::inputs,
                                              output_tensors_t<typename program<Model, Target>::result>> {
    using base = detail::executor_base<Model, Target, Matmul, typename program<Model, Target>::inputs,
                                       output_tensors_t<typename program<Model, Target>::result>>;

public:
    using base::base;
};

namespace detail {

template <class Model, class Target, class Matmul, class... Inputs, class... Outputs>
class executor_base<Model, Target, Matmul, type_list<Inputs...>, type_list<Outputs...>> {
public:
    using program_type = program<Model, Target>;
    using result_type = outputs_t<typename program_type::result>;

    explicit executor_base(weights<Model> parameters = {}, executor_options options = {})
        : weights_(std::move(parameters)), options_(options),
          pool_(options_.pool != nullptr ? *options_.pool : default_pool()), isa_(choose_isa()) {
        static_assert(wrapper_backend<runtime_type, program_type>);
        reserve(program_type::arena_bytes(known_maxima<program_type>(options_.maxima)));
    }

    /// Runs the model and returns owning arrays: one array, a tuple, or named outputs if the model returns a struct.
    result_type operator()(const array_view<Inputs::type>&... inputs) {
        runtime_type r(pool_, options_.hooks, isa_);
        enter(r, inputs...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            std::tuple<array<Outputs::type>...> results(
                array<Outputs::type>::uninitialized(output_extents(static_cast<int>(I), r.symbols()))...);
            (r.bind_output(static_cast<int>(I), std::get<I>(results).data()), ...);
            launch(r);
            if constexpr (std::is_same_v<result_type, std::tuple<array<Outputs::type>...>>) return results;
            else return result_type(std::move(std::get<I>(results))...);
        }(std::index_sequence_for<Outputs...>{});
    }

    /// Runs the model into the caller's arrays, outputs first. No output may overlap an input or another output.
    void into(const mutable_array_view<Outputs::type>&... outputs, const array_view<Inputs::type>&... inputs) {
        runtime_type r(pool_, options_.hooks, isa_);
        enter(r, inputs...);
        int number = 0;
        (bind_output(r, number++, outputs), ...);
        check_overlap(outputs..., inputs...);
        launch(r);
    }

    /// As operator(), with the error as a value.
    expected_result<result_type> try_run(const array_view<Inputs::type>&... inputs) noexcept {
        try {
            return (*this)(inputs...);
        } catch (const error& failure) { return failure; } catch (const std::exception& failure) {
            return error(error_code::unsupported, failure.what());
        }
    }

    /// Bytes of the arena that this executor holds.
    [[nodiscard]] std::size_t arena_capacity() const noexcept { return arena_.size(); }
    [[nodiscard]] isa instruction_set() const noexcept { return isa_; }

private:
    using runtime_type = runtime<program_type, Matmul>;

    isa choose_isa() const {
        if (!options_.instruction_set) return active_isa();
        return *options_.instruction_set < detected_isa() ? *options_.instruction_set : detected_isa();
    }
    void reserve(std::int64_t bytes) {
        if (static_cast<std::int64_t>(arena_.size()) < bytes)
            arena_ = aligned_buffer(static_cast<std::size_t>(bytes), Target::facts.alignment);
    }

    void enter(runtime_type& r, const array_view<Inputs::type>&... inputs) {
        int number = 0;
        (bind_input<Inputs>(r, number++, inputs), ...);
        for (int i = 0; i < program_type::parameter_count; ++i) r.bind_parameter(i, weights_.data(i));
        r.enter();
    }
    template <class Input> static void bind_input(runtime_type& r, int number, const array_view<Input::type>& input) {
        r.bind_input(number, bound_input<Input>(number, input, alignof(storage_t<Input::type>), "contiguous(view)"));
    }
    static extent_list output_extents(int number, const symbol_values& symbols) {
        return toroid::output_extents<program_type>(number, symbols);
    }
    template <dtype T> static void bind_output(runtime_type& r, int number, const mutable_array_view<T>& output) {
        check_output(number, output, output_extents(number, r.symbols()), alignof(storage_t<T>), "contiguous(view)");
        r.bind_output(number, output.data());
    }
    static void check_overlap(const mutable_array_view<Outputs::type>&... outputs,
                              const array_view<Inputs::type>&... inputs) {
        toroid::check_overlap<sizeof...(Outputs)>(outputs..., inputs...);
    }
    void launch(runtime_type& r) {
        reserve(program_type::arena_bytes(r.symbols()));
        r.bind_arena(arena_.data());
        r.run();
    }

    weights<Model> weights_;
    executor_options options_;
    thread_pool& pool_;
    isa isa_;
    aligned_buffer arena_;
};

} // namespace detail
} // namespace toroid::cpu
