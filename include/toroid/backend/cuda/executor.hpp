#pragma once
// cuda::executor: runs a model on an NVIDIA GPU.

#include <cuda_runtime_api.h>

#include <concepts>
#include <tuple>
#include <utility>

#include <toroid/backend/cuda/array.hpp>
#include <toroid/backend/cuda/graph_cache.hpp>
#include <toroid/backend/cuda/runtime.hpp>
#include <toroid/backend/cuda/weights.hpp>
#include <toroid/codegen/binding.hpp>
#include <toroid/storage/expected_result.hpp>
#include <toroid/storage/outputs.hpp>
#include <toroid/wrapper/program.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// What an executor may be told: where to run, and who watches.
struct executor_options {
    cudaStream_t stream = nullptr; ///< of runs that are given none
    launch_hooks hooks = {};       ///< called around every launch; while one is set, no CUDA graph is used
    symbol_values maxima = {};     ///< largest symbol values: memory is allocated for them at once
    bool use_graph = true;         ///< a program of several launches is one CUDA graph
    int cached_graphs = 16;        ///< graphs that are kept, for different extents or addresses
    bool synchronous = false;      ///< wait after every launch: an error then names its line. Slow, to find faults
    bool tf32 = false;             ///< f32 matrix products may round their factors to 10 bits of mantissa
};

namespace detail {
template <class Model, class Target, class Inputs, class Outputs> class executor_base;

/// Memory of one executor on its device.
class device_block {
public:
    device_block() = default;
    explicit device_block(std::size_t bytes) : bytes_(bytes) {
        const relaxed_capture relaxed;
        check(cudaMalloc(&data_, bytes), ("allocating an arena of " + std::to_string(bytes) + " bytes").c_str());
    }
    device_block(device_block&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    device_block& operator=(device_block&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    // cudaFree waits for the device: nothing in flight loses its memory. It fails only when the device is shut down.
    ~device_block() {
        const relaxed_capture relaxed;
        if (data_ != nullptr) static_cast<void>(cudaFree(data_));
    }
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
    [[nodiscard]] std::size_t size() const { return bytes_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace detail

/// Runs a model on the device that is current where the executor is made. Cheap to make, one per thread and stream;
/// weights are shared and read only. `run(x)` returns owning device arrays; `run.into(y, x)` writes into the caller's and
/// allocates nothing once the arena is large enough: from the start with constant extents, with a `check` that bounds the
/// symbols, or with `executor_options::maxima`. Calls return before the device has finished. A first argument of type
/// cudaStream_t chooses the stream; on a stream that is being captured, launches become part of that graph.
/// Arrays are contiguous, on the same device, at multiples of 16 bytes. Throws toroid::error; `try_run` returns it.
template <class Model, class Target = targets::sm_90>
class executor : public detail::executor_base<Model, Target, typename program<Model, Target>::inputs,
                                              output_tensors_t<typename program<Model, Target>::result>> {
    using base = detail::executor_base<Model, Target, typename program<Model, Target>::inputs,
                                       output_tensors_t<typename program<Model, Target>::result>>;

public:
    using base::base;
};

namespace detail {

template <class Model, class Target, class... Inputs, class... Outputs>
class executor_base<Model, Target, type_list<Inputs...>, type_list<Outputs...>> {
public:
    using program_type = program<Model, Target>;
    using result_type = outputs_of<typename program_type::result, array>;

#if defined(__CUDA_ARCH__)
    static_assert(sizeof(compiled_architecture<Target, __CUDA_ARCH__>) != 0);
#endif
    static_assert(sizeof(kernel_parameters<program_type, parameter_bytes<program_type>()>) != 0);
    static_assert(program_type::wrapper.sizes.extern_kernel_allocs == 0,
                  "toroid E035: cuda: matrix products write into planned memory; use a target whose facts have "
                  "extern_allocates = false");

    explicit executor_base(weights<Model> parameters = {}, executor_options options = {})
        : weights_(std::move(parameters)), options_(options),
          graphs_(static_cast<std::size_t>(options.cached_graphs > 0 ? options.cached_graphs : 1)) {
        static_assert(wrapper_backend<runtime<program_type>, program_type>);
        if (weights_.device() >= 0 && weights_.device() != loader_.device())
            throw error(error_code::invalid_argument,
                        "cuda::executor: the weights are on device " + std::to_string(weights_.device()) +
                            ", the current device is " + std::to_string(loader_.device()) +
                            "; upload them to it, or make theirs current");
        if constexpr (uses_cublas()) library_.prepare();
        reserve(program_type::arena_bytes(known_maxima<program_type>(options_.maxima)), false);
    }
    /// Uploads the parameters. A template, so that {} means no parameters.
    template <std::same_as<toroid::weights<Model>> HostWeights>
    explicit executor_base(const HostWeights& parameters, executor_options options = {})
        : executor_base(weights<Model>(parameters, options.stream), options) {}

    /// Runs the model and returns owning arrays: one array, a tuple, or named outputs if the model returns a struct.
    result_type operator()(const array_view<Inputs::type>&... inputs) { return (*this)(options_.stream, inputs...); }
    result_type operator()(cudaStream_t stream, const array_view<Inputs::type>&... inputs) {
        const device_guard guard(loader_.device());
        const entry<program_type> entered = enter(inputs...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            std::tuple<array<Outputs::type>...> results(array<Outputs::type>::uninitialized(
                output_extents<program_type>(static_cast<int>(I), entered.symbols()), stream)...);
            void* const outputs[] = {std::get<I>(results).data()..., nullptr};
            launch(entered, outputs, stream);
            if constexpr (std::is_same_v<result_type, std::tuple<array<Outputs::type>...>>) return results;
            else return result_type(std::move(std::get<I>(results))...);
        }(std::index_sequence_for<Outputs...>{});
    }

    /// Runs the model into the caller's arrays, outputs first. No output may overlap an input or another output.
    void into(const mutable_array_view<Outputs::type>&... outputs, const array_view<Inputs::type>&... inputs) {
        into(options_.stream, outputs..., inputs...);
    }
    void into(cudaStream_t stream, const mutable_array_view<Outputs::type>&... outputs,
              const array_view<Inputs::type>&... inputs) {
        const device_guard guard(loader_.device());
        const entry<program_type> entered = enter(inputs...);
        int number = 0;
        const auto accept = [&](const auto& output) {
            check_output(number, output, output_extents<program_type>(number, entered.symbols()), widest_access,
                         "cuda::copy");
            ++number;
        };
        (accept(outputs), ...);
        check_overlap<sizeof...(Outputs)>(outputs..., inputs...);
        void* const pointers[] = {outputs.data()..., nullptr};
        launch(entered, pointers, stream);
    }

    /// As operator(), with the error as a value.
    expected_result<result_type> try_run(const array_view<Inputs::type>&... inputs) noexcept {
        try {
            return (*this)(inputs...);
        } catch (const error& failure) { return failure; } catch (const std::exception& failure) {
            return error(error_code::unsupported, failure.what());
        }
    }

    /// Waits for the runs on a stream. An error of theirs is thrown here.
    void synchronize() { synchronize(options_.stream); }
    void synchronize(cudaStream_t stream) {
        check(cudaStreamSynchronize(stream), "a launch of the program (executor_options::synchronous tells which)");
    }

    /// Bytes that this executor holds on its device: the arena, and what kernels and matrix products need beside it.
    [[nodiscard]] std::size_t memory_capacity() const noexcept { return memory_.size(); }
    [[nodiscard]] const graph_cache_statistics& graphs() const { return graphs_.statistics(); }

private:
    static constexpr std::size_t block_alignment = 256;
    static constexpr std::size_t aligned(std::size_t bytes) {
        return (bytes + block_alignment - 1) / block_alignment * block_alignment;
    }
    static constexpr std::size_t partial_bytes =
        aligned(static_cast<std::size_t>(partial_result_bytes<program_type>()));
    static constexpr std::size_t counter_bytes = partial_bytes > 0 ? sizeof(unsigned) * arrival_counters : 0;
    static constexpr bool uses_cublas() {
        for (int i = 0; i < program_type::wrapper.sizes.extern_kernels; ++i)
            if (is_floating(program_type::wrapper.extern_kernels[i].type)) return true;
        return false;
    }
    static constexpr std::size_t matmul_bytes = uses_cublas() ? matmul_library::workspace_bytes : 0;

    entry<program_type> enter(const array_view<Inputs::type>&... inputs) const {
        entry<program_type> result;
        int number = 0;
        (bind<Inputs>(result, number++, inputs), ...);
        result.run();
        return result;
    }
    template <class Input>
    static void bind(entry<program_type>& entered, int number, const array_view<Input::type>& input) {
        entered.bind_input(number, bound_input<Input>(number, input, widest_access, "cuda::copy"));
    }
    /// Memory for arenas of `bytes`. Growing waits for the device, and moves what graphs know.
    void reserve(std::int64_t bytes, bool capturing) {
        const std::size_t wanted =
            counter_bytes + partial_bytes + matmul_bytes + aligned(static_cast<std::size_t>(bytes));
        if (wanted <= memory_.size()) return;
        if (capturing)
            throw error(error_code::invalid_argument,
                        "cuda::executor: the arena must grow to " + std::to_string(bytes) +
                            " bytes, which cannot happen while a stream captures; run once before, or set "
                            "executor_options::maxima");
        graphs_.clear();
        memory_ = device_block();
        memory_ = device_block(wanted);
        if constexpr (counter_bytes > 0) {
            check(cudaMemset(memory_.data(), 0, counter_bytes), "clearing counters");
            // Streams that do not wait for the default stream must see it too.
            check(cudaStreamSynchronize(nullptr), "clearing counters");
        }
    }
    [[nodiscard]] device_memory layout() const {
        device_memory m;
        std::byte* at = memory_.data();
        m.counters = reinterpret_cast<unsigned*>(at);
        m.partial_results = at += counter_bytes;
        m.matmul_workspace = at += partial_bytes;
        m.arena = at + matmul_bytes;
        return m;
    }
    void launch(const entry<program_type>& entered, void* const* outputs, cudaStream_t stream) {
        const bool capturing = is_capturing(stream);
        reserve(program_type::arena_bytes(entered.symbols()), capturing);
        weights_.wait(stream);
        const bool watched = options_.hooks.enter != nullptr || options_.hooks.exit != nullptr;
        if (!options_.use_graph || capturing || watched || options_.synchronous || program_type::launch_count() < 2) {
            record(entered, outputs, stream, options_.synchronous && !capturing);
            return;
        }
        key_.clear();
        for (int slot = 0; slot < 52; ++slot)
            if (entered.symbols().bound[slot]) key_.push_back(entered.symbols().values[slot]);
        const auto address = [&](const void* p) {
            key_.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(p)));
        };
        for (std::size_t i = 0; i < sizeof...(Inputs); ++i) address(entered.input(static_cast<int>(i)).data);
        for (std::size_t i = 0; i < sizeof...(Outputs); ++i) address(outputs[i]);
        graphs_.launch(key_, stream, [&](cudaStream_t recording) { record(entered, outputs, recording, false); });
    }
    /// Launches every line on a stream.
    void record(const entry<program_type>& entered, void* const* outputs, cudaStream_t stream, bool synchronous) {
        runtime<program_type> r(loader_, library_, layout(), entered.symbols(),
                                {stream, &options_.hooks, synchronous, options_.tf32});
        for (int i = 0; i < program_type::wrapper.sizes.buffers; ++i) {
            const wrapper_buffer& b = program_type::wrapper.buffers[i];
            if (b.role == buffer_role::input) r.bind(i, entered.input(b.number).data);
            if (b.role == buffer_role::parameter) r.bind(i, weights_.data(b.number));
            if (b.role == buffer_role::output) r.bind(i, outputs[b.number]);
        }
        r.run();
    }

    weights<Model> weights_;
    executor_options options_;
    kernel_loader<program_type> loader_;
    matmul_library library_;
    graph_cache graphs_;
    graph_cache::key key_;
    device_block memory_;
};

} // namespace detail
} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
