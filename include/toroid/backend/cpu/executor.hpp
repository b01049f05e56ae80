#pragma once
// cpu::executor: runs a model on the CPU.

#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <toroid/backend/cpu/runtime.hpp>
#include <toroid/storage/contiguous.hpp>
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

/// A value or an error, for callers without exceptions.
template <class T> class expected_result {
public:
    expected_result(T value) : value_(std::move(value)) {}
    expected_result(error failure) : error_(std::move(failure)) {}

    [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }
    /// The result; calling it on a failure throws the error.
    [[nodiscard]] T& value() {
        if (!value_) throw *error_;
        return *value_;
    }
    /// The error of a failed run.
    [[nodiscard]] const error& failure() const { return error_.value(); }

private:
    std::optional<T> value_;
    std::optional<error> error_;
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
        reserve(program_type::arena_bytes(known_maxima()));
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
    /// What checks and the caller say about the largest symbol values; 0 where neither does.
    symbol_values known_maxima() const {
        symbol_values maxima = program_type::symbol_maxima();
        for (int slot = 0; slot < 52; ++slot)
            if (options_.maxima.bound[slot]) maxima.set(symbol_values::letter(slot), options_.maxima.values[slot]);
        return maxima;
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
        if (input.rank() != Input::rank)
            throw error(error_code::invalid_argument, "input " + std::to_string(number) + " has rank " +
                                                          std::to_string(input.rank()) + ", the model wants " +
                                                          std::to_string(Input::rank));
        require_contiguous("input ", number, input);
        bound_array bound;
        bound.data = const_cast<storage_t<Input::type>*>(input.data());
        for (int a = 0; a < Input::rank; ++a) bound.extents[a] = input.extent(a);
        r.bind_input(number, bound);
    }
    template <class View> static void require_contiguous(const char* what, int number, const View& view) {
        if (!view.is_contiguous())
            throw error(error_code::invalid_argument,
                        what + std::to_string(number) + " is strided; pass contiguous(view), which copies it");
        if (!view.is_aligned(alignof(std::remove_pointer_t<decltype(view.data())>)))
            throw error(error_code::invalid_argument,
                        what + std::to_string(number) + " is misaligned for its element type");
    }
    static extent_list output_extents(int number, const symbol_values& symbols) {
        std::int64_t extents[max_rank] = {};
        int rank = 0;
        for (int i = program_type::wrapper.sizes.buffers - 1; i >= 0; --i) {
            const wrapper_buffer& b = program_type::wrapper.buffers[i];
            if (b.role != buffer_role::output || b.number != number) continue;
            for (int a = 0; a < b.extents.rank; ++a) extents[rank++] = b.extents[a].evaluate(symbols);
            break;
        }
        return extent_list(std::span<const std::int64_t>(extents, static_cast<std::size_t>(rank)));
    }
    template <dtype T> static void bind_output(runtime_type& r, int number, const mutable_array_view<T>& output) {
        const extent_list wanted = output_extents(number, r.symbols());
        if (!(output.extents() == wanted))
            throw error(error_code::invalid_argument, "output " + std::to_string(number) + " has shape " +
                                                          shape_string(output.extents()) + ", the model gives " +
                                                          shape_string(wanted));
        require_contiguous("output ", number, output);
        r.bind_output(number, output.data());
    }
    /// Memory of one argument of `into`.
    struct memory_range {
        const std::byte* first;
        const std::byte* last;
        const char* what;
        int number;

        template <class View>
        memory_range(const View& view, const char* role, int which)
            : first(reinterpret_cast<const std::byte*>(view.data())),
              last(first + view.size() * static_cast<std::int64_t>(sizeof(*view.data()))), what(role), number(which) {}
    };
    /// No output may share memory with an input or with another output.
    static void check_overlap(const mutable_array_view<Outputs::type>&... outputs,
                              const array_view<Inputs::type>&... inputs) {
        constexpr int written = static_cast<int>(sizeof...(Outputs));
        constexpr int total = written + static_cast<int>(sizeof...(Inputs));
        int out = 0;
        int in = 0;
        const memory_range ranges[] = {memory_range(outputs, "output ", out++)...,
                                       memory_range(inputs, "input ", in++)...};
        for (int i = 0; i < written; ++i)
            for (int j = i + 1; j < total; ++j)
                if (ranges[i].first < ranges[j].last && ranges[j].first < ranges[i].last)
                    throw error(error_code::invalid_argument, "output " + std::to_string(i) + " overlaps " +
                                                                  ranges[j].what + std::to_string(ranges[j].number) +
                                                                  " in memory; give it memory of its own");
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
