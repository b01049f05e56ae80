#pragma once
// listing: a wrapper backend that prints the lines of a program, one line of text each, and the kernel bodies that
// they define. Host only; needs fmt.

#include <iterator>

#include <toroid/backend/listing/kernel_text.hpp>
#include <toroid/wrapper/backend.hpp>

namespace toroid {

/// The tables that lines refer to, whichever program they belong to.
struct line_tables {
    const wrapper_buffer* buffers;
    int buffer_count;
    const reinterpret_line* reinterprets;
    int reinterpret_count;
    const int* call_arguments;
    const arena_block* blocks;
    const arena_slot* slots;
    int slot_count;
    bool static_arena;
    std::int64_t static_arena_bytes;
    const label* labels;
};

template <class P> line_tables line_tables_of() {
    const auto& w = P::wrapper;
    return {w.buffers, w.sizes.buffers, w.reinterprets, w.sizes.reinterprets, w.call_arguments, w.blocks,
            w.slots,   w.sizes.slots,   w.static_arena, w.static_arena_bytes, P::labels};
}

/// "0 bytes", "1024 bytes", "512*B + 40*B bytes in 2 slots": what the executor allocates; slots are aligned.
inline std::string arena_text(const line_tables& tables) {
    if (tables.static_arena) return fmt::format("{} bytes", tables.static_arena_bytes);
    std::vector<std::string> slots;
    slots.reserve(static_cast<std::size_t>(tables.slot_count));
    for (int i = 0; i < tables.slot_count; ++i) slots.push_back(dim_text(tables.slots[i].bytes));
    return fmt::format("{} bytes in {} slot{}", sum_text(slots), tables.slot_count, tables.slot_count == 1 ? "" : "s");
}

/// Consumes lines and keeps their text. Reads lines, the tables they refer to and kernel bodies; no graph, no schedule.
class listing_backend {
public:
    explicit listing_backend(const line_tables& program) : tables_(program) { name_buffers(); }

    [[nodiscard]] const std::string& text() const { return out_; }

    /// "program(input0: f32[B, 64]) -> (output: f32[B, 10]):" and the size of the arena.
    void begin() {
        write("program({}) -> ({}):", entry_list(buffer_role::input), entry_list(buffer_role::output));
        depth_ = 1;
        write("arena {}", arena_text(tables_));
    }

    //=== one overload per kind of line ===//

    template <class P, int I> void emit(program_line<P, line_kind::constant, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::symbolic_call_arg, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::guard, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::kernel_definition, I>) {
        using line = program_line<P, line_kind::kernel_definition, I>;
        append_kernel(out_, kernel_tables_of<P, line::value.definition>(), depth_);
    }
    template <class P, int I> void emit(program_line<P, line_kind::kernel_call, I>) {
        using line = program_line<P, line_kind::kernel_call, I>;
        print(line::value, kernel_tables_of<P, line::value.definition>());
    }
    template <class P, int I> void emit(program_line<P, line_kind::extern_kernel, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::extern_kernel_alloc, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::multi_output, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::allocate, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::free_if_not_reused, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::reuse, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::null, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::reinterpret, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::free, I> line) { print(line.value); }
    template <class P, int I> void emit(program_line<P, line_kind::comment, I> line) { print(line.value); }

private:
    line_tables tables_;
    std::string out_;
    int depth_ = 0;
    std::vector<std::string> names_; ///< by buffer, unique

    template <class... A> void write(fmt::format_string<A...> format, A&&... arguments) {
        out_.append(static_cast<std::size_t>(4 * depth_), ' ');
        fmt::format_to(std::back_inserter(out_), format, static_cast<A&&>(arguments)...);
        out_ += '\n';
    }

    //=== buffers ===//

    /// Entries are called by their labels, what happens in between buf0, buf1, …
    void name_buffers() {
        int unnamed = 0;
        for (int i = 0; i < tables_.buffer_count; ++i) {
            const wrapper_buffer& b = tables_.buffers[i];
            const bool inside = b.role == buffer_role::intermediate || b.role == buffer_role::callee;
            std::string name = inside ? fmt::format("buf{}", unnamed++) : entry_name(i);
            if (is_reinterpreted(i)) name += ".base";
            std::string unique = name;
            for (int n = 1; is_taken(unique); ++n) unique = fmt::format("{}_{}", name, n);
            names_.push_back(unique);
        }
    }
    /// The label; a reinterpreted output has that of its base.
    [[nodiscard]] std::string entry_name(int buffer) const {
        int labelled = buffer;
        for (int i = 0; i < tables_.reinterpret_count; ++i)
            if (tables_.reinterprets[i].buffer == buffer) labelled = tables_.reinterprets[i].base;
        const wrapper_buffer& b = tables_.buffers[labelled];
        if (b.label >= 0) return tables_.labels[b.label].text;
        constexpr const char* roles[] = {"input", "parameter", "output"};
        return fmt::format("{}{}", roles[static_cast<int>(b.role)], b.number);
    }
    [[nodiscard]] bool is_reinterpreted(int buffer) const {
        for (int i = 0; i < tables_.reinterpret_count; ++i)
            if (tables_.reinterprets[i].base == buffer) return true;
        return false;
    }
    [[nodiscard]] bool is_taken(const std::string& name) const {
        for (const std::string& known : names_)
            if (known == name) return true;
        return false;
    }
    [[nodiscard]] std::string type_of(int buffer) const {
        return shape_text(tables_.buffers[buffer].type, tables_.buffers[buffer].extents);
    }
    /// Name of a program's input, which lines give by number.
    [[nodiscard]] std::string input_name(int number) const {
        for (int i = 0; i < tables_.buffer_count; ++i)
            if (tables_.buffers[i].role == buffer_role::input && tables_.buffers[i].number == number) return names_[i];
        return fmt::format("input{}", number);
    }
    [[nodiscard]] std::string entry_list(buffer_role role) const {
        std::string text;
        for (int i = 0; i < tables_.buffer_count; ++i) {
            if (tables_.buffers[i].role != role || is_reinterpreted(i)) continue;
            if (!text.empty()) text += ", ";
            text += names_[i] + ": " + type_of(i);
        }
        return text;
    }
    /// "block 0 at 128" or "block 0 in slot 1".
    [[nodiscard]] std::string place_text(int buffer) const {
        const int storage = tables_.buffers[buffer].storage;
        const arena_block& block = tables_.blocks[storage];
        return tables_.static_arena ? fmt::format("block {} at {}", storage, block.offset)
                                    : fmt::format("block {} in slot {}", storage, block.slot);
    }

    //=== entry ===//

    void print(const constant_line& l) {
        write("{}: {}  # parameter {}", names_[l.buffer], type_of(l.buffer), tables_.buffers[l.buffer].number);
    }
    void print(const symbolic_call_arg_line& l) {
        const std::string extent = fmt::format("{}.extent({})", input_name(l.input), l.axis);
        std::vector<std::string> terms = {extent};
        if (l.offset != 0) terms.push_back(std::to_string(-l.offset));
        const std::string sum = sum_text(terms);
        if (l.scale == 1) write("{} = {}", l.name, sum);
        else if (l.offset == 0) write("{} = {}/{}  # exact", l.name, sum, l.scale);
        else write("{} = ({})/{}  # exact", l.name, sum, l.scale);
    }
    void print(const guard_line& l) {
        const char* const assumed = l.assumed ? "  # assumed" : "";
        if (l.buffer < 0) write("guard {}{}", relation_text(l.kind, l.lhs, l.rhs), assumed);
        else write("guard {}.extent({}) == {}", names_[l.buffer], l.axis, dim_text(l.rhs));
    }

    //=== launches ===//

    void print(const kernel_call_line& l, const kernel_tables& kernel) {
        std::string arguments;
        for (int a = 0; a < l.arguments.size(); ++a) {
            if (a > 0) arguments += ", ";
            if (kernel.arguments[a].written) arguments += "out ";
            arguments += names_[tables_.call_arguments[l.arguments.begin + a]];
        }
        write("call {}({})  # launch {}", kernel.name, arguments, l.step);
    }
    void print(const multi_output_line& l) {
        write("{} = result {} of launch {}", names_[l.buffer], l.position, l.step);
    }
    void print(const extern_kernel_line& l) {
        write("extern {}  # launch {}, {}", matmul_text(l, ", out " + names_[l.out]), l.step, matmul_facts(l));
    }
    void print(const extern_kernel_alloc_line& l) {
        write("{} = extern {}  # launch {}, {}, allocated by the callee", names_[l.call.out], matmul_text(l.call, ""),
              l.call.step, matmul_facts(l.call));
    }
    [[nodiscard]] std::string matmul_text(const extern_kernel_line& l, const std::string& result) const {
        return fmt::format("matmul({}, {}{})", window_text(l, l.lhs, l.m, l.k), window_text(l, l.rhs, l.k, l.n),
                           result);
    }
    static std::string matmul_facts(const extern_kernel_line& l) {
        const std::string batch = l.batch_rank == 0 ? "" : ", batch " + dims_text(l.batch, l.batch_rank);
        return fmt::format("{}{}, m={}, n={}, k={}", name_of(l.type), batch, dim_text(l.m), dim_text(l.n),
                           dim_text(l.k));
    }
    /// The name alone for row-major windows, with ^T for transposed ones, else with its offset and strides.
    [[nodiscard]] std::string window_text(const extern_kernel_line& l, const buffer_window& w, dim rows,
                                          dim columns) const {
        bool whole = w.offset.is(0);
        dim stride = rows * columns;
        for (int a = l.batch_rank - 1; a >= 0; --a) {
            whole = whole && w.batch_strides[a] == stride;
            stride = stride * l.batch[a];
        }
        if (whole && w.row_stride == columns && w.column_stride.is(1)) return names_[w.buffer];
        if (whole && w.row_stride.is(1) && w.column_stride == rows) return names_[w.buffer] + "^T";
        dim strides[max_rank];
        for (int a = 0; a < l.batch_rank; ++a) strides[a] = w.batch_strides[a];
        strides[l.batch_rank] = w.row_stride;
        strides[l.batch_rank + 1] = w.column_stride;
        const std::string offset = w.offset.is(0) ? "" : " at " + dim_text(w.offset);
        return fmt::format("{}{} strides {}", names_[w.buffer], offset, dims_text(strides, l.batch_rank + 2));
    }

    //=== memory ===//

    void print(const allocate_line& l) {
        write("{} = allocate {}  # {}", names_[l.buffer], type_of(l.buffer), place_text(l.buffer));
    }
    void print(const reuse_line& l) {
        write("{} = reuse {} as {}  # {}{}", names_[l.buffer], names_[l.old], type_of(l.buffer), place_text(l.buffer),
              l.in_place ? ", in place" : "");
    }
    void print(const free_if_not_reused_line& l) {
        write("free {}{}", names_[l.buffer], l.is_reused ? "  # its block is reused" : "");
    }
    void print(const free_line& l) { write("free {}  # allocated by the callee", names_[l.buffer]); }
    void print(const reinterpret_line& l) {
        write("{} = reinterpret {} as {}", names_[l.buffer], names_[l.base], type_of(l.buffer));
    }
    void print(const null_line&) { write("null"); }
    void print(const comment_line& l) { write("# {}", tables_.labels[l.label].text); }
};

/// The lines of a compiled program as text, in the manner of torch.fx: its entries, arena, guards, kernels, launches
/// and memory. Depends on the program alone, so that it may be compared with a stored copy.
template <class P> std::string listing() {
    listing_backend backend(line_tables_of<P>());
    backend.begin();
    emit_lines<P>(backend);
    return backend.text();
}

} // namespace toroid
