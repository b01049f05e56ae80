#pragma once
// entry: what every executing backend does before it launches: symbols from the extents of inputs, and guards. Host only.

#include <string>

#include <toroid/core/dim_text.hpp>
#include <toroid/core/error.hpp>
#include <toroid/wrapper/backend.hpp>

namespace toroid {

/// One caller's tensor as the lines see it.
struct bound_array {
    void* data = nullptr;
    std::int64_t extents[max_rank] = {};
};

/// Consumes the lines at the head of program `P` and no others. Throws `guard_failed` with both values and the line.
template <class P> class entry {
public:
    void bind_input(int number, const bound_array& array) { inputs_[number] = array; }
    [[nodiscard]] const bound_array& input(int number) const { return inputs_[number]; }
    [[nodiscard]] const symbol_values& symbols() const { return symbols_; }

    void run() { emit_lines<P>(*this); }

    template <int I> void emit(program_line<P, line_kind::symbolic_call_arg, I> line) {
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

    template <line_kind Kind, int I> void emit(program_line<P, Kind, I>) {}

private:
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

    symbol_values symbols_;
    bound_array inputs_[P::inputs::size + 1] = {};
};

} // namespace toroid
