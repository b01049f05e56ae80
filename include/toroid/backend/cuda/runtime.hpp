#pragma once
// runtime: the CUDA consumer of lines. `kernel_loader` loads every kernel once per executor; `runtime` launches.

#include <string>

#include <toroid/backend/cuda/launcher.hpp>
#include <toroid/backend/cuda/matmul.hpp>
#include <toroid/codegen/entry.hpp>
#include <toroid/codegen/kernel_name.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// Loads the kernels of program `P` for the current device, and knows how many of their blocks it holds.
template <class P> class kernel_loader {
public:
    kernel_loader() {
        check(cudaGetDevice(&device_), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_),
              "cudaDeviceGetAttribute");
        emit_lines<P>(*this);
    }
    [[nodiscard]] int device() const { return device_; }
    [[nodiscard]] residency of(int definition) const { return {blocks_[definition]}; }

    template <int I> void emit(program_line<P, line_kind::kernel_definition, I> line) {
        constexpr int d = line.value.definition;
        constexpr kernel_plan plan = plan_of<P, d>;
        constexpr int number = line_number<P>(line_kind::kernel_definition, I);
        const auto kernel = fused_kernel<P, d>;
        cudaFuncAttributes attributes{};
        const cudaError_t status = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
        if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction)
            fail_architecture(number);
        check(status, "loading a kernel", number);
        if constexpr (plan.cluster > 8)
            check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                       cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                  "allowing a cluster of 16 blocks", number);
        int count = 0;
        if constexpr (plan.ahead) {
            cudaLaunchAttribute attribute{};
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(plan.cluster);
            config.blockDim = dim3(plan.threads);
            config.attrs = &attribute;
            config.numAttrs = 1;
            check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "querying occupancy", number);
            blocks_[d] = std::int64_t{count} * plan.cluster;
        } else if constexpr (plan.family == kernel_family::row_loop || plan.family == kernel_family::column) {
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, plan.threads, 0), "querying occupancy",
                  number);
            blocks_[d] = std::int64_t{count} * multiprocessors_;
        }
    }
    template <line_kind Kind, int I> void emit(program_line<P, Kind, I>) {}

private:
    [[noreturn]] void fail_architecture(int line) const {
        static_cast<void>(cudaGetLastError());
        int major = 0;
        int minor = 0;
        static_cast<void>(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_));
        static_cast<void>(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device_));
        const std::string capability = std::to_string(major) + std::to_string(minor);
        throw error(error_code::unsupported,
                    "CUDA: no kernel of this program was built for device " + std::to_string(device_) + ", sm_" +
                        capability + "; compile with nvcc -arch=sm_" + capability,
                    line);
    }

    int device_ = 0;
    int multiprocessors_ = 0;
    std::int64_t blocks_[P::definition_count() + 1] = {};
};

/// Memory of one executor that lines use.
struct device_memory {
    std::byte* arena = nullptr;
    std::byte* partial_results = nullptr;
    unsigned* counters = nullptr;
    std::byte* matmul_workspace = nullptr;
};

/// How lines are launched.
struct launch_options {
    cudaStream_t stream = nullptr;
    const launch_hooks* hooks = nullptr;
    bool synchronous = false;
    bool tf32 = false;
};

/// Executes the lines of program `P`: every launch goes to one stream.
template <class P> class runtime {
public:
    runtime(const kernel_loader<P>& loader, matmul_library& library, const device_memory& memory,
            const symbol_values& symbols, const launch_options& options)
        : loader_(loader), library_(library), memory_(memory), symbols_(symbols), options_(options) {}

    void bind(int buffer, void* data) { buffers_[buffer] = data; }
    void run() { emit_lines<P>(*this); }

    //=== lines at entry: codegen/entry.hpp has run them ===//

    template <int I> void emit(program_line<P, line_kind::constant, I>) {}
    template <int I> void emit(program_line<P, line_kind::symbolic_call_arg, I>) {}
    template <int I> void emit(program_line<P, line_kind::guard, I>) {}

    //=== memory ===//

    template <int I> void emit(program_line<P, line_kind::allocate, I> line) { place<line.value.buffer>(); }
    template <int I> void emit(program_line<P, line_kind::reuse, I> line) { place<line.value.buffer>(); }
    template <int I> void emit(program_line<P, line_kind::free_if_not_reused, I>) {}
    template <int I> void emit(program_line<P, line_kind::null, I>) {}
    template <int I> void emit(program_line<P, line_kind::reinterpret, I>) {}
    template <int I> void emit(program_line<P, line_kind::multi_output, I>) {}
    template <int I> void emit(program_line<P, line_kind::comment, I>) {}
    template <int I> void emit(program_line<P, line_kind::free, I>) {}

    //=== launches ===//

    template <int I> void emit(program_line<P, line_kind::kernel_definition, I>) {}

    template <int I> void emit(program_line<P, line_kind::kernel_call, I> line) {
        constexpr kernel_call_line call = line.value;
        using body = kernel_body<P, call.definition>;
        const int number = line_number<P>(line_kind::kernel_call, I);
        const body_dims<body> dims(symbols_);
        const launch_shape shape = launcher<P, call.definition>::shape(dims, loader_.of(call.definition));
        if (shape.blocks == 0) return; // nothing to write
        if (shape.blocks > INT_MAX)
            throw error(error_code::unsupported,
                        "CUDA: a launch needs " + std::to_string(shape.blocks) + " blocks, more than 2^31 - 1", number);
        kernel_arguments<body> arguments{
            {}, dims, shape.outer, shape.groups, shape.splits, memory_.partial_results, memory_.counters};
        for (int i = 0; i < call.arguments.size(); ++i)
            arguments.pointers[i] = buffers_[P::wrapper.call_arguments[call.arguments.begin + i]];
        launch_grid grid = toroid::launcher<launch_config{}>::template grid<body>(dims);
        grid.per_chunk = 1;
        grid.chunks = shape.blocks;
        launch_kernel<call.definition>(shape, grid, arguments, call.arguments.size(), number);
    }

    template <int I> void emit(program_line<P, line_kind::extern_kernel, I> line) {
        matmul<line.value.type>(line.value, line_number<P>(line_kind::extern_kernel, I));
    }
    template <int I> void emit(program_line<P, line_kind::extern_kernel_alloc, I>) {} // executor: there are none

private:
    template <int Buffer> void place() { buffers_[Buffer] = memory_.arena + P::arena_offset(Buffer, symbols_); }

    template <int Definition, class Arguments>
    void launch_kernel(const launch_shape& shape, const launch_grid& grid, const Arguments& arguments, int count,
                       int line) {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(static_cast<unsigned>(shape.blocks));
        config.blockDim = dim3(shape.threads);
        config.stream = options_.stream;
        cudaLaunchAttribute attributes[3];
        config.attrs = attributes;
        if (shape.cluster > 1) {
            cudaLaunchAttribute& a = attributes[config.numAttrs++];
            a.id = cudaLaunchAttributeClusterDimension;
            a.val.clusterDim.x = shape.cluster;
            a.val.clusterDim.y = a.val.clusterDim.z = 1;
        }
        if (shape.cooperative) {
            cudaLaunchAttribute& a = attributes[config.numAttrs++];
            a.id = cudaLaunchAttributeCooperative;
            a.val.cooperative = 1;
        }
        if constexpr (P::target::architecture >= 90) {
            // A cooperative launch must find the device empty; others overlap their start with the end of what is before.
            if (!shape.cooperative) {
                cudaLaunchAttribute& a = attributes[config.numAttrs++];
                a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
                a.val.programmaticStreamSerializationAllowed = 1;
            }
        }
        static constexpr label name = kernel_name<P, Definition>;
        const launch_info info{name.text,
                               grid,
                               arguments.pointers,
                               count,
                               {static_cast<unsigned>(shape.blocks), shape.threads, shape.cluster}};
        around(info, line,
               [&] { check(cudaLaunchKernelEx(&config, fused_kernel<P, Definition>, arguments), name.text, line); });
    }
    /// Hooks, and with `synchronous` the errors of the launch itself. What `enter` saw begin, `exit` sees end.
    template <class Launch> void around(const launch_info& info, int line, const Launch& launch) {
        struct exit_hook {
            const launch_hooks& hooks;
            const launch_info& info;
            ~exit_hook() {
                if (hooks.exit != nullptr) hooks.exit(hooks.context, info);
            }
        };
        const launch_hooks& hooks = *options_.hooks;
        if (hooks.enter != nullptr) hooks.enter(hooks.context, info);
        {
            const exit_hook on_exit{hooks, info};
            launch();
        }
        if (options_.synchronous) check(cudaStreamSynchronize(options_.stream), info.kernel, line);
    }

    template <dtype T> void matmul(const extern_kernel_line& call, int line) {
        const auto value = [&](const dim& d) { return d.evaluate(symbols_); };
        matmul_shape shape;
        shape.m = value(call.m);
        shape.n = value(call.n);
        shape.k = value(call.k);
        shape.lhs.row_stride = value(call.lhs.row_stride);
        shape.lhs.column_stride = value(call.lhs.column_stride);
        shape.rhs.row_stride = value(call.rhs.row_stride);
        shape.rhs.column_stride = value(call.rhs.column_stride);
        const auto* lhs = static_cast<const storage_t<T>*>(buffers_[call.lhs.buffer]) + value(call.lhs.offset);
        const auto* rhs = static_cast<const storage_t<T>*>(buffers_[call.rhs.buffer]) + value(call.rhs.offset);
        auto* out = static_cast<storage_t<T>*>(buffers_[call.out]);
        // Batch dimensions that both operands walk as one become one; the others are a loop.
        std::int64_t extents[max_rank] = {};
        std::int64_t lhs_strides[max_rank] = {};
        std::int64_t rhs_strides[max_rank] = {};
        int rank = 0;
        for (int d = call.batch_rank - 1; d >= 0; --d) {
            const std::int64_t extent = value(call.batch[d]);
            const std::int64_t lhs_stride = value(call.lhs.batch_strides[d]);
            const std::int64_t rhs_stride = value(call.rhs.batch_strides[d]);
            if (extent == 1) continue;
            if (rank > 0 && lhs_stride == lhs_strides[rank - 1] * extents[rank - 1] &&
                rhs_stride == rhs_strides[rank - 1] * extents[rank - 1]) {
                extents[rank - 1] *= extent;
                continue;
            }
            extents[rank] = extent;
            lhs_strides[rank] = lhs_stride;
            rhs_strides[rank++] = rhs_stride;
        }
        shape.batch = rank > 0 ? extents[0] : 1;
        shape.lhs.batch_stride = lhs_strides[0];
        shape.rhs.batch_stride = rhs_strides[0];
        std::int64_t outer = 1;
        for (int d = 1; d < rank; ++d) outer *= extents[d];
        launch_info info;
        info.kernel = "matmul";
        info.grid = {outer * shape.batch,
                     shape.m,
                     shape.n,
                     shape.k,
                     1,
                     outer * shape.batch,
                     outer * shape.batch * shape.m * shape.n * shape.k};
        around(info, line, [&] {
            for (std::int64_t i = 0; i < outer; ++i) {
                std::int64_t rest = i;
                std::int64_t lhs_offset = 0;
                std::int64_t rhs_offset = 0;
                for (int d = 1; d < rank; ++d) {
                    lhs_offset += rest % extents[d] * lhs_strides[d];
                    rhs_offset += rest % extents[d] * rhs_strides[d];
                    rest /= extents[d];
                }
                library_.template run<T>(shape, lhs + lhs_offset, rhs + rhs_offset,
                                         out + i * shape.batch * shape.m * shape.n, memory_.matmul_workspace,
                                         matmul_library::workspace_bytes, options_.stream, options_.tf32, line);
            }
        });
    }

    const kernel_loader<P>& loader_;
    matmul_library& library_;
    device_memory memory_;
    const symbol_values& symbols_;
    launch_options options_;
    void* buffers_[P::wrapper.sizes.buffers + 1] = {};
};

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
