#pragma once
// The Wrapper IR: typed lines, one struct each, and the buffers that they name. No text but labels.

#include <toroid/schedule/schedule.hpp>

namespace toroid {

//=== buffers ===//

enum class buffer_role : std::uint8_t {
    input,        ///< caller's memory, read
    parameter,    ///< weights, read
    output,       ///< caller's memory, written
    intermediate, ///< in the arena
    callee        ///< allocated by the extern kernel that fills it
};

/// A contiguous, row-major block of elements.
struct wrapper_buffer {
    buffer_role role = buffer_role::intermediate;
    dtype type = dtype::f32;
    int number = -1;   ///< input, parameter or output number
    int node = -1;     ///< node of the optimised graph whose value it holds
    int label = -1;    ///< user's name, if any
    int storage = -1;  ///< intermediates: which arena block; buffers that reuse each other share one
    shape extents;
    dim elements = 1;
    dim bytes = 0;
};

/// A strided window on a buffer: what a matmul reads. Elements.
struct buffer_window {
    int buffer = -1;
    dim offset = 0;
    dim row_stride = 0;
    dim column_stride = 1;
    dim batch_strides[max_rank];
};

//=== lines ===//

/// Declares a parameter that the program reads.
struct constant_line {
    int buffer = -1;
};
/// Defines a symbol from an extent of an input: value = (extent - offset) / scale, exactly.
struct symbolic_call_arg_line {
    char name = 0;
    int input = -1;
    int axis = -1;
    std::int64_t scale = 1;
    std::int64_t offset = 0;
};
/// Something that must hold at entry: a user's check, or the extent of an input or parameter.
struct guard_line {
    guard_kind kind = guard_kind::equals;
    bool assumed = false;
    int buffer = -1; ///< extent guards: the input or parameter whose `axis` has extent `rhs`; else -1
    int axis = -1;
    dim lhs;
    dim rhs;
};
/// The body of a kernel (number in the definition tables). Defined once, called by any number of lines.
struct kernel_definition_line {
    int definition = -1;
};
/// A launch: the buffers behind the arguments of the definition, in order.
struct kernel_call_line {
    int definition = -1;
    table_rows arguments; ///< rows of call_arguments
    int step = -1;
};
/// A matmul into a given buffer. out: [batch…, m, n].
struct extern_kernel_line {
    dtype type = dtype::f32;
    int batch_rank = 0;
    dim batch[max_rank];
    dim m, n, k;
    buffer_window lhs;
    buffer_window rhs;
    int out = -1;
    int step = -1;
};
/// A matmul whose callee allocates the result.
struct extern_kernel_alloc_line {
    extern_kernel_line call;
};
/// The i-th result of a launch that has several.
struct multi_output_line {
    int step = -1;
    int position = -1;
    int buffer = -1;
};
/// A buffer begins to live in the arena.
struct allocate_line {
    int buffer = -1;
};
/// A buffer's last use is over; `is_reused` when a later buffer has taken its storage.
struct free_if_not_reused_line {
    int buffer = -1;
    bool is_reused = false;
};
/// `buffer` takes over the storage of `old`; `in_place` when the launch that fills it still reads `old`.
struct reuse_line {
    int old = -1;
    int buffer = -1;
    bool in_place = false;
};
/// What a removed line leaves behind.
struct null_line {};
/// `buffer` is the storage of `base` under other extents.
struct reinterpret_line {
    int base = -1;
    int buffer = -1;
};
/// Unconditional free of a callee-allocated buffer.
struct free_line {
    int buffer = -1;
};
/// The user's name of what follows.
struct comment_line {
    int label = -1;
};

// clang-format off
enum class line_kind : std::uint8_t {
    constant, symbolic_call_arg, guard, kernel_definition, kernel_call, extern_kernel, extern_kernel_alloc, multi_output,
    allocate, free_if_not_reused, reuse, null, reinterpret, free, comment
};
// clang-format on
inline constexpr int line_kind_count = 15;

/// A line in program order: its kind and its number among the lines of that kind.
struct line_reference {
    line_kind kind = line_kind::null;
    int index = -1;
};

//=== memory ===//

/// A block of the arena. Static plans give every block its offset; symbolic plans give it a slot.
struct arena_block {
    dim bytes = 0;       ///< largest buffer in the block
    int begin = 0;       ///< first step that writes it
    int end = 0;         ///< last step that uses it, inclusive
    std::int64_t offset = -1;
    int slot = -1;
};

/// A place in a symbolic arena; places follow each other, aligned.
struct arena_slot {
    dim bytes = 0;
    int busy_until = -1;
};

//=== the program ===//

/// What lowering found wrong with a program, for `program` to state.
struct wrapper_fault {
    char unbound_symbol = 0;         ///< a symbol that no extent of an input determines
    bool arena_overflows = false;    ///< the arena, or a buffer, has more than 2^63 - 1 bytes
};

/// Checked class: instantiated by `program` with what lowering found.
template <class Program, char Symbol, bool ArenaOverflows> struct lowered_program {
    static_assert(Symbol == 0,
                  "toroid E011: unbound symbol: no extent of an input determines Symbol; give some input an "
                  "extent that is the symbol itself, or a multiple of it plus a constant");
    static_assert(!ArenaOverflows, "toroid E037: arena overflow: the arena of Program, or one buffer of it, needs more "
                                   "than 2^63 - 1 bytes; use smaller extents");
};

/// All lines and tables, growing.
struct wrapper_builder {
    growable<wrapper_buffer> buffers;
    growable<line_reference> lines;
    growable<constant_line> constants;
    growable<symbolic_call_arg_line> symbolic_call_args;
    growable<guard_line> guards;
    growable<kernel_definition_line> kernel_definitions;
    growable<kernel_call_line> kernel_calls;
    growable<extern_kernel_line> extern_kernels;
    growable<extern_kernel_alloc_line> extern_kernel_allocs;
    growable<multi_output_line> multi_outputs;
    growable<allocate_line> allocates;
    growable<free_if_not_reused_line> frees_if_not_reused;
    growable<reuse_line> reuses;
    growable<reinterpret_line> reinterprets;
    growable<free_line> frees;
    growable<comment_line> comments;
    growable<int> call_arguments;
    growable<arena_block> blocks;
    growable<arena_slot> slots;
    bool static_arena = true;
    std::int64_t static_arena_bytes = 0;
    wrapper_fault fault;

    constexpr void push(const constant_line& l) { lines.push({line_kind::constant, constants.push(l)}); }
    constexpr void push(const symbolic_call_arg_line& l) {
        lines.push({line_kind::symbolic_call_arg, symbolic_call_args.push(l)});
    }
    constexpr void push(const guard_line& l) { lines.push({line_kind::guard, guards.push(l)}); }
    constexpr void push(const kernel_definition_line& l) {
        lines.push({line_kind::kernel_definition, kernel_definitions.push(l)});
    }
    constexpr void push(const kernel_call_line& l) { lines.push({line_kind::kernel_call, kernel_calls.push(l)}); }
    constexpr void push(const extern_kernel_line& l) { lines.push({line_kind::extern_kernel, extern_kernels.push(l)}); }
    constexpr void push(const extern_kernel_alloc_line& l) {
        lines.push({line_kind::extern_kernel_alloc, extern_kernel_allocs.push(l)});
    }
    constexpr void push(const multi_output_line& l) { lines.push({line_kind::multi_output, multi_outputs.push(l)}); }
    constexpr void push(const allocate_line& l) { lines.push({line_kind::allocate, allocates.push(l)}); }
    constexpr void push(const free_if_not_reused_line& l) {
        lines.push({line_kind::free_if_not_reused, frees_if_not_reused.push(l)});
    }
    constexpr void push(const reuse_line& l) { lines.push({line_kind::reuse, reuses.push(l)}); }
    constexpr void push(const null_line&) { lines.push({line_kind::null, 0}); }
    constexpr void push(const reinterpret_line& l) { lines.push({line_kind::reinterpret, reinterprets.push(l)}); }
    constexpr void push(const free_line& l) { lines.push({line_kind::free, frees.push(l)}); }
    constexpr void push(const comment_line& l) { lines.push({line_kind::comment, comments.push(l)}); }
};

} // namespace toroid
