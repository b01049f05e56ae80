#pragma once
// wrapper: the lines of a program as constants, and the type of one line for dispatch.

#include <toroid/wrapper/lower.hpp>

namespace toroid {

struct wrapper_sizes {
    int buffers, lines, constants, symbolic_call_args, guards, kernel_definitions, kernel_calls, extern_kernels,
        extern_kernel_allocs, multi_outputs, allocates, frees_if_not_reused, reuses, reinterprets, frees, comments,
        call_arguments, blocks, slots;
};

constexpr wrapper_sizes sizes_of(const wrapper_builder& w) {
    return {w.buffers.size(),
            w.lines.size(),
            w.constants.size(),
            w.symbolic_call_args.size(),
            w.guards.size(),
            w.kernel_definitions.size(),
            w.kernel_calls.size(),
            w.extern_kernels.size(),
            w.extern_kernel_allocs.size(),
            w.multi_outputs.size(),
            w.allocates.size(),
            w.frees_if_not_reused.size(),
            w.reuses.size(),
            w.reinterprets.size(),
            w.frees.size(),
            w.comments.size(),
            w.call_arguments.size(),
            w.blocks.size(),
            w.slots.size()};
}

/// Sizes that suffice for a schedule: what every launch can add at most.
constexpr wrapper_sizes wrapper_capacity(const graph_view& g, const schedule_view& s) {
    int matmuls = 0;
    int entries = 0; // extents of inputs and parameters
    int leaves = 0;
    for (int i = 0; i < s.sizes.steps; ++i) matmuls += s.steps[i].kind == step_kind::matmul ? 1 : 0;
    for (int n = 0; n < g.size; ++n)
        if (g.nodes[n].code == op::input || g.nodes[n].code == op::parameter) {
            ++leaves;
            entries += g.rank_of(n);
        }
    const int kernels = s.sizes.steps - matmuls;
    const int arguments = s.sizes.step_arguments;
    const int results = arguments + matmuls;
    const int guards = entries + g.guard_count;
    const int uses = arguments + 3 * matmuls;
    return {leaves + 2 * g.output_count + results,
            leaves + entries + guards + 2 * kernels + matmuls + 4 * results + uses + g.output_count + g.size,
            leaves,
            entries,
            guards,
            s.sizes.definitions,
            kernels,
            matmuls,
            matmuls,
            arguments,
            results,
            uses,
            results,
            g.output_count,
            matmuls,
            results,
            arguments,
            results,
            results};
}

/// The Wrapper IR as a constant.
template <int Buffers, int Lines, int Constants, int Symbols, int Guards, int Definitions, int Calls, int Externs,
          int Allocs, int Outputs, int Allocates, int ReusedFrees, int Reuses, int Reinterprets, int Frees,
          int Comments, int Arguments, int Blocks, int Slots>
struct frozen_wrapper {
    wrapper_buffer buffers[Buffers + 1] = {};
    line_reference lines[Lines + 1] = {};
    constant_line constants[Constants + 1] = {};
    symbolic_call_arg_line symbolic_call_args[Symbols + 1] = {};
    guard_line guards[Guards + 1] = {};
    kernel_definition_line kernel_definitions[Definitions + 1] = {};
    kernel_call_line kernel_calls[Calls + 1] = {};
    extern_kernel_line extern_kernels[Externs + 1] = {};
    extern_kernel_alloc_line extern_kernel_allocs[Allocs + 1] = {};
    multi_output_line multi_outputs[Outputs + 1] = {};
    allocate_line allocates[Allocates + 1] = {};
    free_if_not_reused_line frees_if_not_reused[ReusedFrees + 1] = {};
    reuse_line reuses[Reuses + 1] = {};
    reinterpret_line reinterprets[Reinterprets + 1] = {};
    free_line frees[Frees + 1] = {};
    comment_line comments[Comments + 1] = {};
    int call_arguments[Arguments + 1] = {};
    arena_block blocks[Blocks + 1] = {};
    arena_slot slots[Slots + 1] = {};
    bool static_arena = true;
    std::int64_t static_arena_bytes = 0;
    wrapper_fault fault = {};
    wrapper_sizes sizes = {};
};

namespace detail {
/// Copies every table of a wrapper, growing or frozen, into another.
template <class To, class From> constexpr void copy_wrapper(To& to, const From& from, const wrapper_sizes& n) {
    const auto copy = [](auto& target, const auto& source, int count) {
        for (int i = 0; i < count; ++i) target[i] = source[i];
    };
    copy(to.buffers, from.buffers, n.buffers);
    copy(to.lines, from.lines, n.lines);
    copy(to.constants, from.constants, n.constants);
    copy(to.symbolic_call_args, from.symbolic_call_args, n.symbolic_call_args);
    copy(to.guards, from.guards, n.guards);
    copy(to.kernel_definitions, from.kernel_definitions, n.kernel_definitions);
    copy(to.kernel_calls, from.kernel_calls, n.kernel_calls);
    copy(to.extern_kernels, from.extern_kernels, n.extern_kernels);
    copy(to.extern_kernel_allocs, from.extern_kernel_allocs, n.extern_kernel_allocs);
    copy(to.multi_outputs, from.multi_outputs, n.multi_outputs);
    copy(to.allocates, from.allocates, n.allocates);
    copy(to.frees_if_not_reused, from.frees_if_not_reused, n.frees_if_not_reused);
    copy(to.reuses, from.reuses, n.reuses);
    copy(to.reinterprets, from.reinterprets, n.reinterprets);
    copy(to.frees, from.frees, n.frees);
    copy(to.comments, from.comments, n.comments);
    copy(to.call_arguments, from.call_arguments, n.call_arguments);
    copy(to.blocks, from.blocks, n.blocks);
    copy(to.slots, from.slots, n.slots);
    to.static_arena = from.static_arena;
    to.static_arena_bytes = from.static_arena_bytes;
    to.fault = from.fault;
    to.sizes = n;
}
} // namespace detail

/// Number, among all lines of a program, of line `index` of its kind; -1 when there is none.
template <class P> constexpr int line_number(line_kind kind, int index) {
    for (int i = 0; i < P::wrapper.sizes.lines; ++i)
        if (P::wrapper.lines[i].kind == kind && P::wrapper.lines[i].index == index) return i;
    return -1;
}

//=== lines as types ===//

/// Line number `Index` of kind `Kind` of program `P`; `value` is its struct. What a backend's `emit` takes.
template <class P, line_kind Kind, int Index> struct program_line;

template <class P, int I> struct program_line<P, line_kind::constant, I> {
    using program = P;
    static constexpr constant_line value = P::wrapper.constants[I];
};
template <class P, int I> struct program_line<P, line_kind::symbolic_call_arg, I> {
    using program = P;
    static constexpr symbolic_call_arg_line value = P::wrapper.symbolic_call_args[I];
};
template <class P, int I> struct program_line<P, line_kind::guard, I> {
    using program = P;
    static constexpr guard_line value = P::wrapper.guards[I];
};
template <class P, int I> struct program_line<P, line_kind::kernel_definition, I> {
    using program = P;
    static constexpr kernel_definition_line value = P::wrapper.kernel_definitions[I];
};
template <class P, int I> struct program_line<P, line_kind::kernel_call, I> {
    using program = P;
    static constexpr kernel_call_line value = P::wrapper.kernel_calls[I];
};
template <class P, int I> struct program_line<P, line_kind::extern_kernel, I> {
    using program = P;
    static constexpr extern_kernel_line value = P::wrapper.extern_kernels[I];
};
template <class P, int I> struct program_line<P, line_kind::extern_kernel_alloc, I> {
    using program = P;
    static constexpr extern_kernel_alloc_line value = P::wrapper.extern_kernel_allocs[I];
};
template <class P, int I> struct program_line<P, line_kind::multi_output, I> {
    using program = P;
    static constexpr multi_output_line value = P::wrapper.multi_outputs[I];
};
template <class P, int I> struct program_line<P, line_kind::allocate, I> {
    using program = P;
    static constexpr allocate_line value = P::wrapper.allocates[I];
};
template <class P, int I> struct program_line<P, line_kind::free_if_not_reused, I> {
    using program = P;
    static constexpr free_if_not_reused_line value = P::wrapper.frees_if_not_reused[I];
};
template <class P, int I> struct program_line<P, line_kind::reuse, I> {
    using program = P;
    static constexpr reuse_line value = P::wrapper.reuses[I];
};
template <class P, int I> struct program_line<P, line_kind::null, I> {
    using program = P;
    static constexpr null_line value = {};
};
template <class P, int I> struct program_line<P, line_kind::reinterpret, I> {
    using program = P;
    static constexpr reinterpret_line value = P::wrapper.reinterprets[I];
};
template <class P, int I> struct program_line<P, line_kind::free, I> {
    using program = P;
    static constexpr free_line value = P::wrapper.frees[I];
};
template <class P, int I> struct program_line<P, line_kind::comment, I> {
    using program = P;
    static constexpr comment_line value = P::wrapper.comments[I];
};

//=== definitions as types ===//

/// Kernel definition number `D` of program `P` as small tables of its own: the tables of the program are read once per body, never per
/// element, which keeps the front end of nvcc linear.
template <class P, int D> struct kernel_body {
    static constexpr kernel_definition definition = P::definitions[D];

    template <class Row, int Count> struct table {
        Row rows[Count > 0 ? Count : 1] = {};
        static constexpr int size = Count;
        TOROID_HOST_DEVICE constexpr const Row& operator[](int i) const { return rows[i]; }
    };

private:
    template <int Count, class Row> static constexpr table<Row, Count> rows_from(const Row* source, int begin) {
        table<Row, Count> result;
        for (int i = 0; i < Count; ++i) result.rows[i] = source[begin + i];
        return result;
    }

public:
    static constexpr auto values = rows_from<definition.values.size()>(P::tables.values, definition.values.begin);
    static constexpr auto accesses =
        rows_from<definition.accesses.size()>(P::tables.accesses, definition.accesses.begin);
    static constexpr auto stores = rows_from<definition.stores.size()>(P::tables.stores, definition.stores.begin);
    static constexpr auto arguments =
        rows_from<definition.arguments.size()>(P::tables.arguments, definition.arguments.begin);
    static constexpr auto ranges = rows_from<definition.ranges.size()>(P::tables.ranges, definition.ranges.begin);
    static constexpr auto dims = rows_from<definition.dims.size()>(P::tables.dims, definition.dims.begin);
};

} // namespace toroid
