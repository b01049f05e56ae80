#pragma once
// runtime: the CPU consumer of lines. One object per run; holds where every buffer lies and what symbols are.

#include <string>

#include <toroid/backend/cpu/kernel.hpp>
#include <toroid/backend/cpu/matmul.hpp>
#include <toroid/backend/cpu/thread_pool.hpp>
#include <toroid/codegen/entry.hpp>
#include <toroid/codegen/kernel_name.hpp>
#include <toroid/storage/aligned_buffer.hpp>
#include <toroid/wrapper/backend.hpp>

namespace toroid::cpu {

/// Executes the lines of program `P`. Matmul: the matrix product to call (native_matmul or cblas_matmul).
template <class P, class Matmul> class runtime {
public:
    runtime(thread_pool& pool, const launch_hooks& hooks, isa level) : pool_(pool), hooks_(hooks), isa_(level) {}

    void bind_input(int number, const bound_array& array) { entry_.bind_input(number, array); }
    void bind_parameter(int number, void* data) { parameters_[number] = data; }
    void bind_output(int number, void* data) { outputs_[number] = data; }
    void bind_arena(std::byte* arena) { arena_ = arena; }

    [[nodiscard]] const symbol_values& symbols() const { return entry_.symbols(); }

    /// First half of a run: symbols and guards. The caller then provides outputs and arena.
    void enter() { entry_.run(); }
    /// Second half: every launch.
    void run() {
        bind_buffers();
        emit_lines<P>(*this);
    }

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
    template <int I> void emit(program_line<P, line_kind::free, I> line) {
        callee_buffers_[line.value.buffer] = aligned_buffer();
    }

    //=== launches ===//

    template <int I> void emit(program_line<P, line_kind::kernel_definition, I>) {}

    template <int I> void emit(program_line<P, line_kind::kernel_call, I> line) {
        constexpr kernel_call_line call = line.value;
        using body = kernel_body<P, call.definition>;
        void* pointers[call.arguments.size() + 1] = {};
        for (int i = 0; i < call.arguments.size(); ++i)
            pointers[i] = buffers_[P::wrapper.call_arguments[call.arguments.begin + i]];
        const body_dims<body> dims(symbols());
        const kernel_context<body> context{pointers, dims, launcher<launch_config{}>::grid<body>(dims)};
        if (context.grid.outer * context.grid.lanes == 0) return; // nothing to write
        launch<P, call.definition>(context, call.arguments.size());
    }

    template <int I> void emit(program_line<P, line_kind::extern_kernel, I> line) {
        matmul<line.value.type>(line.value);
    }
    template <int I> void emit(program_line<P, line_kind::extern_kernel_alloc, I> line) {
        constexpr extern_kernel_line call = line.value.call;
        const std::int64_t bytes = P::wrapper.buffers[call.out].bytes.evaluate(symbols());
        callee_buffers_[call.out] = aligned_buffer(static_cast<std::size_t>(bytes));
        buffers_[call.out] = callee_buffers_[call.out].data();
        matmul<call.type>(call);
    }

private:
    static constexpr int buffer_count = P::wrapper.sizes.buffers;
    static constexpr bool has_callee_buffers = P::wrapper.sizes.extern_kernel_allocs > 0;

    void bind_buffers() {
        for (int i = 0; i < buffer_count; ++i) {
            const wrapper_buffer& b = P::wrapper.buffers[i];
            if (b.role == buffer_role::input) buffers_[i] = entry_.input(b.number).data;
            if (b.role == buffer_role::parameter) buffers_[i] = parameters_[b.number];
            if (b.role == buffer_role::output) buffers_[i] = outputs_[b.number];
        }
    }
    template <int Buffer> void place() { buffers_[Buffer] = arena_ + P::arena_offset(Buffer, symbols()); }

    template <class Program, int Definition>
    void launch(const kernel_context<kernel_body<Program, Definition>>& context, int arguments) {
        using body = kernel_body<Program, Definition>;
        static constexpr label name = kernel_name<Program, Definition>;
        const launch_info info{name.text, context.grid, context.pointers, arguments};
        if (hooks_.enter != nullptr) hooks_.enter(hooks_.context, info);
        const isa level = isa_;
        const auto chunk = [&](std::int64_t number) {
#if defined(__x86_64__)
            if (level == isa::avx512) return loop_driver<isa::avx512>::run<body>(context, number);
            if (level == isa::avx2) return loop_driver<isa::avx2>::run<body>(context, number);
#endif
            loop_driver<isa::baseline>::run<body>(context, number);
        };
        if (context.grid.chunks == 1) chunk(0);
        else pool_.parallel_for(context.grid.chunks, chunk);
        if (hooks_.exit != nullptr) hooks_.exit(hooks_.context, info);
    }

    template <dtype T> void matmul(const extern_kernel_line& call) {
        gemm_arguments<T> a;
        a.m = call.m.evaluate(symbols());
        a.n = call.n.evaluate(symbols());
        a.k = call.k.evaluate(symbols());
        a.a_row_stride = call.lhs.row_stride.evaluate(symbols());
        a.a_col_stride = call.lhs.column_stride.evaluate(symbols());
        a.b_row_stride = call.rhs.row_stride.evaluate(symbols());
        a.b_col_stride = call.rhs.column_stride.evaluate(symbols());
        a.c_row_stride = a.n;
        const auto* lhs =
            static_cast<const storage_t<T>*>(buffers_[call.lhs.buffer]) + call.lhs.offset.evaluate(symbols());
        const auto* rhs =
            static_cast<const storage_t<T>*>(buffers_[call.rhs.buffer]) + call.rhs.offset.evaluate(symbols());
        auto* out = static_cast<storage_t<T>*>(buffers_[call.out]);
        std::int64_t batch = 1;
        for (int d = 0; d < call.batch_rank; ++d) batch *= call.batch[d].evaluate(symbols());
        const launch_info info{"matmul", {batch, a.m, a.n, a.k, 1, batch, batch * a.m * a.n * a.k}, nullptr, 0};
        if (hooks_.enter != nullptr) hooks_.enter(hooks_.context, info);
        for (std::int64_t i = 0; i < batch; ++i) {
            std::int64_t rest = i;
            std::int64_t lhs_offset = 0;
            std::int64_t rhs_offset = 0;
            for (int d = call.batch_rank - 1; d >= 0; --d) {
                const std::int64_t extent = call.batch[d].evaluate(symbols());
                const std::int64_t at = rest % extent;
                rest /= extent;
                lhs_offset += at * call.lhs.batch_strides[d].evaluate(symbols());
                rhs_offset += at * call.rhs.batch_strides[d].evaluate(symbols());
            }
            a.a = lhs + lhs_offset;
            a.b = rhs + rhs_offset;
            a.c = out + i * a.m * a.n;
            Matmul::template run<T>(a);
        }
        if (hooks_.exit != nullptr) hooks_.exit(hooks_.context, info);
    }

    thread_pool& pool_;
    const launch_hooks& hooks_;
    isa isa_;
    entry<P> entry_;
    void* parameters_[P::parameter_count + 1] = {};
    void* outputs_[P::output_count + 1] = {};
    std::byte* arena_ = nullptr;
    void* buffers_[buffer_count + 1] = {};
    aligned_buffer callee_buffers_[has_callee_buffers ? buffer_count : 1];
};

} // namespace toroid::cpu
