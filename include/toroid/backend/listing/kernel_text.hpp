#pragma once
// kernel_text: the body of a kernel as an indented list of loops, values and stores.

#include <iterator>

#include <toroid/backend/listing/dim_text.hpp>
#include <toroid/codegen/kernel_name.hpp>

namespace toroid {

/// The tables of one kernel body, whichever program it belongs to, so that printing is compiled once.
struct kernel_tables {
    const char* name;
    const kernel_value* values;
    int value_count;
    const kernel_access* accesses;
    const kernel_store* stores;
    int store_count;
    const kernel_argument* arguments;
    int argument_count;
    const kernel_range* ranges;
    int range_count;
    const dim* dims;
    int stages;
    int lane_range;
};

template <class P, int D> kernel_tables kernel_tables_of() {
    using body = kernel_body<P, D>;
    return {kernel_name<P, D>.text,     body::values.rows, body::values.size,    body::accesses.rows,
            body::stores.rows,          body::stores.size, body::arguments.rows, body::arguments.size,
            body::ranges.rows,          body::ranges.size, body::dims.rows,      body::definition.stages,
            body::definition.lane_range};
}

namespace detail {

/// Prints one body. A body with reductions makes one pass over the reduced ranges per stage.
class kernel_printer {
public:
    kernel_printer(const kernel_tables& kernel, std::string& text, int indent)
        : k_(kernel), out_(text), depth_(indent) {
        name_ranges();
    }

    void print() {
        line("def {}({}):", k_.name, argument_list());
        ++depth_;
        const std::string kept = range_list(false);
        if (!kept.empty()) line("for {}:", kept);
        if (!kept.empty()) ++depth_;
        for (int stage = 0; stage < k_.stages; ++stage) print_pass(stage);
    }

private:
    const kernel_tables& k_;
    std::string& out_;
    int depth_;
    std::vector<std::string> range_names_;

    template <class... A> void line(fmt::format_string<A...> format, A&&... arguments) {
        out_.append(static_cast<std::size_t>(4 * depth_), ' ');
        fmt::format_to(std::back_inserter(out_), format, static_cast<A&&>(arguments)...);
        out_ += '\n';
    }

    //=== names ===//

    void name_ranges() {
        int kept = 0;
        int reduced = 0;
        for (int r = 0; r < k_.range_count; ++r) kept += k_.ranges[r].reduction ? 0 : 1;
        const bool letters = kept <= 3;
        kept = 0;
        for (int r = 0; r < k_.range_count; ++r) {
            if (k_.ranges[r].reduction) range_names_.push_back(fmt::format("r{}_", reduced++));
            else if (letters) range_names_.emplace_back(1, static_cast<char>('x' + kept++));
            else range_names_.push_back(fmt::format("x{}_", kept++));
        }
    }
    /// "x in B, y in 128 (lanes)".
    [[nodiscard]] std::string range_list(bool reduction) const {
        std::string text;
        for (int r = 0; r < k_.range_count; ++r) {
            if (k_.ranges[r].reduction != reduction) continue;
            if (!text.empty()) text += ", ";
            text += range_names_[r] + " in " + dim_text(k_.dims[k_.ranges[r].extent]);
            if (r == k_.lane_range) text += " (lanes)";
        }
        return text;
    }
    [[nodiscard]] std::string argument_list() const {
        std::string text;
        for (int a = 0; a < k_.argument_count; ++a) {
            if (a > 0) text += ", ";
            if (k_.arguments[a].written) text += is_loaded(a) ? "inout " : "out ";
            text += fmt::format("arg{}: {}", a, name_of(k_.arguments[a].type));
        }
        return text;
    }
    [[nodiscard]] bool is_loaded(int argument) const {
        for (int i = 0; i < k_.value_count; ++i)
            if (k_.values[i].kind == value_kind::load && k_.accesses[k_.values[i].access].argument == argument)
                return true;
        return false;
    }
    /// "128*x + y + 64".
    [[nodiscard]] std::string index_text(const kernel_access& a) const {
        std::vector<std::string> terms;
        for (int r = 0; r < k_.range_count; ++r) {
            const dim stride = k_.dims[a.strides[r]];
            if (!stride.is(0)) terms.push_back(product_text(stride, range_names_[r]));
        }
        if (!k_.dims[a.offset].is(0)) terms.push_back(dim_text(k_.dims[a.offset]));
        return sum_text(terms);
    }
    [[nodiscard]] std::string element_text(const kernel_access& a) const {
        return fmt::format("arg{}[{}]", a.argument, index_text(a));
    }
    [[nodiscard]] std::string reduced_names() const {
        std::string text;
        for (int r = 0; r < k_.range_count; ++r)
            if (k_.ranges[r].reduction) text += (text.empty() ? "" : ", ") + range_names_[r];
        return text;
    }

    //=== values ===//

    [[nodiscard]] std::string value_text(const kernel_value& v) const {
        switch (v.kind) {
        case value_kind::load: return "load " + element_text(k_.accesses[v.access]);
        case value_kind::constant: return constant_text(v.type, v.payload);
        case value_kind::index: return "index " + index_text(k_.accesses[v.access]);
        case value_kind::extent: return "extent " + dim_text(k_.dims[v.access]);
        case value_kind::compute: return call_text(v);
        case value_kind::reduce: break;
        }
        std::string text = call_text(v);
        if (!reduced_names().empty()) text += " over " + reduced_names();
        if (is_arg_reduction(v.code)) text += ", numbered " + index_text(k_.accesses[v.access]);
        return text;
    }
    static std::string call_text(const kernel_value& v) {
        std::string text = name_of(v.code);
        text += '(';
        for (int i = 0; i < 3 && v.operands[i] >= 0; ++i)
            text += fmt::format("{}t{}", i > 0 ? ", " : "", v.operands[i]);
        return text + ')';
    }
    void print_value(int i) { line("t{}: {} = {}", i, name_of(k_.values[i].type), value_text(k_.values[i])); }
    void print_store(const kernel_store& s) { line("store {} = t{}", element_text(k_.accesses[s.access]), s.value); }

    //=== passes ===//

    [[nodiscard]] bool runs_in_reduction(const kernel_access& a) const {
        for (int r = 0; r < k_.range_count; ++r)
            if (k_.ranges[r].reduction && !k_.dims[a.strides[r]].is(0)) return true;
        return false;
    }
    [[nodiscard]] bool is_in_loop(const kernel_store& s) const {
        return k_.values[s.value].in_reduction || runs_in_reduction(k_.accesses[s.access]);
    }
    /// Values of the loop of a pass: those it needs per element, and the reductions that it completes.
    [[nodiscard]] static bool is_in_loop(const kernel_value& v, int stage) {
        if (v.kind == value_kind::reduce) return v.stage == stage + 1;
        return v.in_reduction && (v.passes >> stage & 1) != 0;
    }
    [[nodiscard]] bool has_loop(int stage) const {
        for (int i = 0; i < k_.value_count; ++i)
            if (is_in_loop(k_.values[i], stage)) return true;
        for (int i = 0; i < k_.store_count; ++i)
            if (k_.values[k_.stores[i].value].stage == stage && is_in_loop(k_.stores[i])) return true;
        return false;
    }
    /// Values per row come before the loop over the reduced ranges, stores per row behind it.
    void print_pass(int stage) {
        for (int i = 0; i < k_.value_count; ++i) {
            const kernel_value& v = k_.values[i];
            if (v.kind != value_kind::reduce && !v.in_reduction && v.stage == stage) print_value(i);
        }
        if (has_loop(stage)) print_loop(stage);
        for (int i = 0; i < k_.store_count; ++i)
            if (k_.values[k_.stores[i].value].stage == stage && !is_in_loop(k_.stores[i])) print_store(k_.stores[i]);
    }
    void print_loop(int stage) {
        const std::string reduced = range_list(true);
        if (!reduced.empty()) line("for {}:  # pass {}", reduced, stage);
        if (!reduced.empty()) ++depth_;
        for (int i = 0; i < k_.value_count; ++i) {
            const kernel_value& v = k_.values[i];
            if (!is_in_loop(v, stage)) continue;
            const bool first = (v.passes & ((std::uint64_t{1} << stage) - 1)) == 0;
            if (!v.stashed) print_value(i);
            else if (first) line("t{}: {} = stash {}", i, name_of(v.type), value_text(v));
            else line("t{}: {} = stashed t{}", i, name_of(v.type), i);
        }
        for (int i = 0; i < k_.store_count; ++i)
            if (k_.values[k_.stores[i].value].stage == stage && is_in_loop(k_.stores[i])) print_store(k_.stores[i]);
        if (!reduced.empty()) --depth_;
    }
};

} // namespace detail

/// Appends the body of a kernel, `indent` levels deep.
inline void append_kernel(std::string& text, const kernel_tables& kernel, int indent = 0) {
    detail::kernel_printer(kernel, text, indent).print();
}

} // namespace toroid
