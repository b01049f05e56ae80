#pragma once
// runtime: the CPU consumer of lines. One object per run; holds where every buffer lies and what symbols are.

#include <string>

#include <toroid/backend/cpu/kernel.hpp>
#include <toroid/backend/cpu/matmul.hpp>
#include <toroid/backend/cpu/thread_pool.hpp>
#include <toroid/codegen/kernel_name.hpp>
#include <toroid/core/dim_text.hpp>
#include <toroid/storage/aligned_buffer.hpp>
#include <toroid/wrapper/backend.hpp>

namespace toroid::cpu {

/// One caller's tensor as the lines see it.
struct bound_array {
    void* data = nullptr;
    std::int64_t extents[max_rank] = {};
};

/// Executes the lines of program `P`. Matmul: the matrix product to call (native_matmul or cblas_matmul).
template <class P, class Matmul> class runtime {
public:
    runtime(thread_pool& pool, const launch_hooks& hooks, isa level) : pool_(pool), hooks_(hooks), isa_(level) {}

    void bind_input(int number, const bound_array& array) { inputs_[number] = array; }
    void bind_parameter(int number, void* data) { parameters_[number] = data; }
    void bind_output(int number, void* data) { outputs_[number] = data; }
    void bind_arena(std::byte* arena) { arena_ = arena; }

    [[nodiscard]] const symbol_values& symbols() const { return symbols_; }

    /// First half of a run: symbols and guards. The caller then provides outputs and arena.
    void enter() {
        entering_ = true;
        bind_leaves();
        emit_lines<P>(*this);
    }
    /// Second half: every launch.
    void run() {
        entering_ = false;
        bind_results();
        emit_lines<P>(*this);
    }

    //=== lines at entry ===//

    template <int I> void emit(program_line<P, line_kind::constant, I>) {}

    template <int I> void emit(program_line<P, line_kind::symbolic_call_arg, I> line) {
        if (!entering_) return;
        constexpr symbolic_call_arg_line l = line.value;
        const std::int64_t extent = inputs_[l.input].extents[l.axis];
        const std::int64_t value = (extent - l.offset) / l.scale;
        if (value < 0 || value * l.scale + l.offset != extent)
            throw error(error_code::guard_failed,
                        "input " + std::to_string(l.input) + " axis " + std::to_string(l.axis) + " has extent " +
                            std::to_string(extent) + ", which is not " +
                            dim_text(dim(l.scale) * symbol(l.name) + dim(l.offset)) + " for any " + l.name + " >= 0",
                        line_number<P>(line_kind::symbolic_call_arg, I));
        symbols_.set(l.name, value);
    }

    template <int I> void emit(program_line<P, line_kind::guard, I> line) {
        if (!entering_) return;
        constexpr guard_line l = line.value;
        if constexpr (l.buffer >= 0) {
            constexpr wrapper_buffer b = P::wrapper.buffers[l.buffer];
            if constexpr (b.role == buffer_role::input) {
                const std::int64_t extent = inputs_[b.number].extents[l.axis];
                const std::int64_t wanted = l.rhs.evaluate(symbols_);
                if (extent != wanted)
                    throw error(error_code::guard_failed,
                                "input " + std::to_string(b.number) + " axis " + std::to_string(l.axis) +
                                    " has extent " + std::to_string(extent) + ", the model wants " + dim_text(l.rhs) +
                                    (l.rhs.is_constant() ? "" : " = " + std::to_string(wanted)),
                                line_number<P>(line_kind::guard, I));
            }
        } else {
            const std::int64_t left = l.lhs.evaluate(symbols_);
            const std::int64_t right = l.rhs.evaluate(symbols_);
            if (!holds(l.kind, left, right)) fail_guard(l, left, right, line_number<P>(line_kind::guard, I));
        }
    }

    //=== memory ===//

    template <int I> void emit(program_line<P, line_kind::allocate, I> line) { place<line.value.buffer>(); }
    template <int I> void emit(program_line<P, line_kind::reuse, I> line) { place<line.value.buffer>(); }
    template <int I> void emit(program_line<P, line_kind::free_if_not_reused, I>) {}
    template <int I> void emit(program_line<P, line_kind::null, I>) {}
    template <int I> void emit(program_line<P, line_kind::reinterpret, I>) {}
    template <int I> void emit(program_line<P, line_kind::multi_output, I>) {}
    template <int I> void emit(program_line<P, line_kind::comment, I>) {}
    template <int I> void emit(program_line<P, line_kind::free, I> line) {
        if (!entering_) callee_buffers_[line.value.buffer] = aligned_buffer();
    }

    //=== launches ===//

    template <int I> void emit(program_line<P, line_kind::kernel_definition, I>) {}

    template <int I> void emit(program_line<P, line_kind::kernel_call, I> line) {
        if (entering_) return;
        constexpr kernel_call_line call = line.value;
        using body = kernel_body<P, call.definition>;
        void* pointers[call.arguments.size() + 1] = {};
        for (int i = 0; i < call.arguments.size(); ++i)
            pointers[i] = buffers_[P::wrapper.call_arguments[call.arguments.begin + i]];
        const body_dims<body> dims(symbols_);
        const kernel_context<body> context{pointers, dims, launcher<launch_config{}>::grid<body>(dims)};
        if (context.grid.outer * context.grid.lanes == 0) return; // nothing to write
        launch<P, call.definition>(context, call.arguments.size());
    }

    template <int I> void emit(program_line<P, line_kind::extern_kernel, I> line) {
        if (!entering_) matmul<line.value.type>(line.value);
    }
    template <int I> void emit(program_line<P, line_kind::extern_kernel_alloc, I> line) {
        if (entering_) return;
        constexpr extern_kernel_line call = line.value.call;
        const std::int64_t bytes = P::wrapper.buffers[call.out].bytes.evaluate(symbols_);
        callee_buffers_[call.out] = aligned_buffer(static_cast<std::size_t>(bytes));
        buffers_[call.out] = callee_buffers_[call.out].data();
        matmul<call.type>(call);
    }

private:
    static constexpr int buffer_count = P::wrapper.sizes.buffers;
    static constexpr bool has_callee_buffers = P::wrapper.sizes.extern_kernel_allocs > 0;

    static constexpr bool holds(guard_kind kind, std::int64_t left, std::int64_t right) {
        switch (kind) {
        case guard_kind::equals: return left == right;
        case guard_kind::less: return left < right;
        case guard_kind::less_or_equal: return left <= right;
        case guard_kind::multiple_of: return right != 0 && left % right == 0;
        }
        return false;
    }
    [[noreturn]] static void fail_guard(const guard_line& l, std::int64_t left, std::int64_t right, int number) {
        constexpr const char* relations[] = {" == ", " < ", " <= ", " is a multiple of "};
        const auto side = [](const dim& d, std::int64_t value) {
            return d.is_constant() ? std::to_string(value) : dim_text(d) + " (= " + std::to_string(value) + ")";
        };
        throw error(error_code::guard_failed,
                    std::string(l.assumed ? "the model assumes " : "the model checks ") + side(l.lhs, left) +
                        relations[static_cast<int>(l.kind)] + side(l.rhs, right) +
                        ", which does not hold; pass inputs of other extents or change the model's check",
                    number);
    }

    void bind_leaves() {
        for (int i = 0; i < buffer_count; ++i) {
            const wrapper_buffer& b = P::wrapper.buffers[i];
            if (b.role == buffer_role::input) buffers_[i] = inputs_[b.number].data;
            if (b.role == buffer_role::parameter) buffers_[i] = parameters_[b.number];
        }
    }
    void bind_results() {
        for (int i = 0; i < buffer_count; ++i)
            if (P::wrapper.buffers[i].role == buffer_role::output) buffers_[i] = outputs_[P::wrapper.buffers[i].number];
    }
    template <int Buffer> void place() {
        if (!entering_) buffers_[Buffer] = arena_ + P::arena_offset(Buffer, symbols_);
    }

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
        a.m = call.m.evaluate(symbols_);
        a.n = call.n.evaluate(symbols_);
        a.k = call.k.evaluate(symbols_);
        a.a_row_stride = call.lhs.row_stride.evaluate(symbols_);
        a.a_col_stride = call.lhs.column_stride.evaluate(symbols_);
        a.b_row_stride = call.rhs.row_stride.evaluate(symbols_);
        a.b_col_stride = call.rhs.column_stride.evaluate(symbols_);
        a.c_row_stride = a.n;
        const auto* lhs =
            static_cast<const storage_t<T>*>(buffers_[call.lhs.buffer]) + call.lhs.offset.evaluate(symbols_);
        const auto* rhs =
            static_cast<const storage_t<T>*>(buffers_[call.rhs.buffer]) + call.rhs.offset.evaluate(symbols_);
        auto* out = static_cast<storage_t<T>*>(buffers_[call.out]);
        std::int64_t batch = 1;
        for (int d = 0; d < call.batch_rank; ++d) batch *= call.batch[d].evaluate(symbols_);
        const launch_info info{"matmul", {batch, a.m, a.n, a.k, 1, batch, batch * a.m * a.n * a.k}, nullptr, 0};
        if (hooks_.enter != nullptr) hooks_.enter(hooks_.context, info);
        for (std::int64_t i = 0; i < batch; ++i) {
            std::int64_t rest = i;
            std::int64_t lhs_offset = 0;
            std::int64_t rhs_offset = 0;
            for (int d = call.batch_rank - 1; d >= 0; --d) {
                const std::int64_t extent = call.batch[d].evaluate(symbols_);
                const std::int64_t at = rest % extent;
                rest /= extent;
                lhs_offset += at * call.lhs.batch_strides[d].evaluate(symbols_);
                rhs_offset += at * call.rhs.batch_strides[d].evaluate(symbols_);
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
    bool entering_ = true;
    symbol_values symbols_;
    bound_array inputs_[P::inputs::size + 1] = {};
    void* parameters_[P::parameter_count + 1] = {};
    void* outputs_[P::output_count + 1] = {};
    std::byte* arena_ = nullptr;
    void* buffers_[buffer_count + 1] = {};
    aligned_buffer callee_buffers_[has_callee_buffers ? buffer_count : 1];
};

} // namespace toroid::cpu
