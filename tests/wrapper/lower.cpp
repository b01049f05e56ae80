// Lowering: buffers, reuse, in-place reuse, and the order of lines. Checked on plans of real models.

#include <doctest/doctest.h>

#include <toroid/wrapper/lower.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

using unfused = targets::with_fusion_level<targets::cpu, 0>;
struct extern_allocates {
    static constexpr target_facts facts = [] {
        target_facts result = targets::cpu::facts;
        result.extern_allocates = true;
        return result;
    }();
};
struct never_in_place {
    static constexpr target_facts facts = [] {
        target_facts result = targets::cpu::facts;
        result.in_place = false;
        return result;
    }();
};

//=== the lines as an abstract machine ===//

enum class plan_fault {
    none,
    dead_buffer,
    overlap,
    double_allocation,
    undefined_kernel,
    not_in_place,
    leak,
    double_free
};

/// Runs the lines of a program with the given extents: which buffers hold live values, and where. A launch may read only
/// what is live, and a new buffer may overlap a live one only if the launch takes it over in place.
template <class P> constexpr plan_fault run_lines(const symbol_values& symbols) {
    constexpr const auto& w = P::wrapper;
    bool live[w.sizes.buffers + 1] = {};
    bool defined[P::schedule.sizes.definitions + 1] = {};
    int dies_in_next_launch[w.sizes.buffers + 1] = {};
    for (int i = 0; i < w.sizes.buffers; ++i)
        live[i] = w.buffers[i].role == buffer_role::input || w.buffers[i].role == buffer_role::parameter ||
                  w.buffers[i].role == buffer_role::output;
    const auto begin = [&](int b) { return P::arena_offset(b, symbols); };
    const auto end = [&](int b) { return P::arena_offset(b, symbols) + w.buffers[b].bytes.evaluate(symbols); };
    const auto place = [&](int buffer, int taken_over) {
        if (live[buffer]) return plan_fault::double_allocation;
        if (end(buffer) > P::arena_bytes(symbols)) return plan_fault::overlap;
        for (int i = 0; i < w.sizes.buffers; ++i) {
            if (!live[i] || i == taken_over || w.buffers[i].role != buffer_role::intermediate) continue;
            if (begin(buffer) < end(i) && begin(i) < end(buffer)) return plan_fault::overlap;
        }
        live[buffer] = true;
        return plan_fault::none;
    };
    const auto settle = [&] { // the launch is over: what it wrote over is gone
        for (int i = 0; i < w.sizes.buffers; ++i) {
            if (dies_in_next_launch[i] != 0) live[i] = false;
            dies_in_next_launch[i] = 0;
        }
    };
    for (int n = 0; n < w.sizes.lines; ++n) {
        const line_reference l = w.lines[n];
        plan_fault fault = plan_fault::none;
        switch (l.kind) {
        case line_kind::allocate: fault = place(w.allocates[l.index].buffer, -1); break;
        case line_kind::reuse: {
            const reuse_line& r = w.reuses[l.index];
            if (w.buffers[r.old].type != w.buffers[r.buffer].type ||
                !(w.buffers[r.old].bytes == w.buffers[r.buffer].bytes) ||
                w.buffers[r.old].storage != w.buffers[r.buffer].storage)
                return plan_fault::overlap;
            if (r.in_place && (!live[r.old] || dies_in_next_launch[r.old] != 0)) return plan_fault::not_in_place;
            if (!r.in_place && live[r.old]) return plan_fault::overlap;
            fault = place(r.buffer, r.in_place ? r.old : -1);
            if (r.in_place) dies_in_next_launch[r.old] = 1;
            break;
        }
        case line_kind::kernel_definition: defined[w.kernel_definitions[l.index].definition] = true; break;
        case line_kind::kernel_call: {
            const kernel_call_line& call = w.kernel_calls[l.index];
            if (!defined[call.definition]) return plan_fault::undefined_kernel;
            for (int a = call.arguments.begin; a < call.arguments.end; ++a)
                if (!live[w.call_arguments[a]]) return plan_fault::dead_buffer;
            settle();
            break;
        }
        case line_kind::extern_kernel:
        case line_kind::extern_kernel_alloc: {
            const extern_kernel_line& call =
                l.kind == line_kind::extern_kernel ? w.extern_kernels[l.index] : w.extern_kernel_allocs[l.index].call;
            if (l.kind == line_kind::extern_kernel_alloc) {
                if (live[call.out]) return plan_fault::double_allocation;
                live[call.out] = true;
            }
            if (!live[call.lhs.buffer] || !live[call.rhs.buffer] || !live[call.out]) return plan_fault::dead_buffer;
            settle();
            break;
        }
        case line_kind::free_if_not_reused:
            if (!live[w.frees_if_not_reused[l.index].buffer]) return plan_fault::double_free;
            live[w.frees_if_not_reused[l.index].buffer] = false;
            break;
        case line_kind::free:
            if (!live[w.frees[l.index].buffer]) return plan_fault::double_free;
            live[w.frees[l.index].buffer] = false;
            break;
        case line_kind::reinterpret:
            if (!live[w.reinterprets[l.index].base]) return plan_fault::dead_buffer;
            break;
        case line_kind::multi_output:
            if (!live[w.multi_outputs[l.index].buffer]) return plan_fault::dead_buffer;
            break;
        default: break;
        }
        if (fault != plan_fault::none) return fault;
    }
    for (int i = 0; i < w.sizes.buffers; ++i)
        if (live[i] && (w.buffers[i].role == buffer_role::intermediate || w.buffers[i].role == buffer_role::callee))
            return plan_fault::leak;
    return plan_fault::none;
}

template <class Model, class Target = targets::cpu> constexpr bool is_sound() {
    using p = program<Model, Target>;
    return run_lines<p>({{'B', 4}, {'S', 3}}) == plan_fault::none &&
           run_lines<p>({{'B', 1}, {'S', 100}}) == plan_fault::none &&
           run_lines<p>({{'B', 0}, {'S', 0}}) == plan_fault::none;
}
template <class... Model> constexpr bool are_sound_fused() { return (is_sound<Model>() && ...); }
template <class... Model> constexpr bool are_sound() {
    return ((is_sound<Model>() && is_sound<Model, unfused>() && is_sound<Model, extern_allocates>() &&
             is_sound<Model, never_in_place>()) &&
            ...);
}
static_assert(are_sound<classifier>());

TEST_CASE("plans of models: nothing dead is read, nothing live is written over, nothing is left") {
    // At run time: all of them would be long constant evaluations.
    CHECK(are_sound<layer_norm_rows, attention_heads, siblings, concat_two, gated_unit>());
    CHECK(are_sound_fused<softmax_rows, softmax_middle, log_softmax_rows, logsumexp_rows, rms_norm_rows,
                          variance_rows>());
    CHECK(are_sound_fused<argmax_rows, residual_chain, attention, transpose_add, multi_output, sum_two_axes,
                          broadcast_bias>());
    CHECK(is_sound<twelve_blocks>());
    CHECK(is_sound<twelve_blocks, unfused>());
}

/// One launch with ten results, each in place of its own operand.
struct ten_in_place {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> s) const {
        std::array<tensor<f32, 8, 8>, 10> y;
        for (int i = 0; i < 10; ++i) y[static_cast<std::size_t>(i)] = matmul(x + (i + 1), s);
        for (auto& element : y) element = element * s;
        auto total = matmul(y[9], s);
        for (int i = 8; i >= 0; --i) total = matmul(total, y[static_cast<std::size_t>(i)]);
        return total;
    }
};
static_assert(is_sound<ten_in_place>(), "an operand is taken over once");
static_assert(program<ten_in_place>::kernel_count() == 2 && program<ten_in_place>::wrapper.sizes.multi_outputs == 20);

//=== in place ===//

template <class Model> constexpr int in_place_count() {
    int count = 0;
    for (int i = 0; i < program<Model>::wrapper.sizes.reuses; ++i)
        count += program<Model>::wrapper.reuses[i].in_place ? 1 : 0;
    return count;
}

/// The kernel between two matmuls: `Form` says how it reads the first one's result.
enum class form { same_index, transposed, broadcast_row, read_again, other_dtype, flipped, soft, normed };
template <form Form> struct between {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 16> w) const {
        const auto y = matmul(x, w);
        if constexpr (Form == form::same_index) return matmul(tanh(y), w);
        else if constexpr (Form == form::transposed) return matmul(tanh(transpose(y)) * 2, w);
        else if constexpr (Form == form::broadcast_row) return matmul(tanh(y) + slice<0, 0, 1>(y), w);
        else if constexpr (Form == form::read_again) return matmul(tanh(y), y);
        else if constexpr (Form == form::other_dtype) return matmul(to_dtype<f64>(tanh(y)), to_dtype<f64>(w));
        else if constexpr (Form == form::flipped) return matmul(tanh(flip<1>(y)), w);
        else if constexpr (Form == form::soft) return matmul(softmax(y), w);
        else return matmul(layer_norm(y), w);
    }
};
static_assert(in_place_count<between<form::same_index>>() == 1);
static_assert(in_place_count<between<form::transposed>>() == 0, "another lane still needs the element");
static_assert(in_place_count<between<form::broadcast_row>>() == 0, "every row needs the first");
static_assert(in_place_count<between<form::read_again>>() == 0, "the operand lives on");
static_assert(in_place_count<between<form::other_dtype>>() == 0);
static_assert(in_place_count<between<form::flipped>>() == 0, "the same place in size, not in order");
static_assert(in_place_count<between<form::soft>>() == 1,
              "the last pass reads each element once more before it is written");
static_assert(in_place_count<between<form::normed>>() == 1);
static_assert(program<between<form::same_index>, never_in_place>::wrapper.sizes.reuses == 0);

/// The caller's input and the weights are never written.
struct input_only {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 16> w) const { return matmul(tanh(x), w); }
};
static_assert(in_place_count<input_only>() == 0);

//=== reuse of freed storage ===//

struct chain {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 16> w) const {
        for (int i = 0; i < 6; ++i) x = matmul(x, w);
        return x;
    }
};
static_assert(program<chain>::wrapper.sizes.blocks == 2, "two buffers alternate, whatever the length of the chain");
static_assert(program<chain>::arena_bytes() == 2 * 16 * 16 * 4);
struct growing_chain {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 32> v, tensor<f32, 32, 16> w) const {
        for (int i = 0; i < 3; ++i) x = matmul(matmul(x, v), w);
        return x;
    }
};
static_assert(program<growing_chain>::wrapper.sizes.blocks == 2, "reuse needs equal bytes");

/// Every free says whether a later buffer took the storage.
template <class P> constexpr bool frees_tell_the_truth() {
    constexpr const auto& w = P::wrapper;
    for (int i = 0; i < w.sizes.frees_if_not_reused; ++i) {
        bool taken = false;
        for (int r = 0; r < w.sizes.reuses; ++r)
            taken = taken || (w.reuses[r].old == w.frees_if_not_reused[i].buffer && !w.reuses[r].in_place);
        if (taken != w.frees_if_not_reused[i].is_reused) return false;
    }
    return true;
}
static_assert(frees_tell_the_truth<program<chain>>() && frees_tell_the_truth<program<classifier>>() &&
              frees_tell_the_truth<program<twelve_blocks>>() &&
              frees_tell_the_truth<program<attention_heads, unfused>>());
static_assert(program<chain>::wrapper.sizes.frees_if_not_reused == 5 && program<chain>::wrapper.sizes.reuses == 3);

//=== extern kernels that allocate ===//

static_assert(program<chain, extern_allocates>::wrapper.sizes.extern_kernel_allocs == 5, "all but the output");
static_assert(program<chain, extern_allocates>::wrapper.sizes.extern_kernels == 1);
static_assert(program<chain, extern_allocates>::wrapper.sizes.frees == 5);
static_assert(program<chain, extern_allocates>::arena_bytes() == 0);
struct squared {
    constexpr auto operator()(tensor<f32, 16, 16> x) const {
        const auto y = matmul(x, x);
        return matmul(y, y);
    }
};
static_assert(program<squared, extern_allocates>::wrapper.sizes.frees == 1, "freed once, though it is both operands");
static_assert(is_sound<squared, extern_allocates>() && is_sound<chain, extern_allocates>());

//=== views ===//

struct returned_view {
    constexpr auto operator()(tensor<f32, B, 8> x, tensor<f32, 8, 8> w) const { return flatten(matmul(x, w)); }
};
static_assert(program<returned_view>::wrapper.sizes.reinterprets == 1, "a reshaped result is the result's own storage");
static_assert(program<returned_view>::kernel_count() == 0 && program<returned_view>::arena_bytes({{'B', 9}}) == 0);
struct transposed_result {
    constexpr auto operator()(tensor<f32, B, 8> x, tensor<f32, 8, 8> w) const { return transpose(matmul(x, w)); }
};
static_assert(program<transposed_result>::kernel_count() == 1, "a transposed result is written in its own order");
static_assert(program<transposed_result>::wrapper.sizes.reinterprets == 0);

//=== entry ===//

struct derived_extents {
    constexpr auto operator()(tensor<f32, 2 * B + 1, S> x, tensor<f32, B, 4> y, tensor<f32, S> z) const {
        x.trace().check(B <= 64);
        return std::tuple(x + z, y + 1);
    }
};
using derived = program<derived_extents>;
static_assert(derived::wrapper.sizes.symbolic_call_args == 2, "B and S, each from the first extent that tells");
static_assert(derived::wrapper.symbolic_call_args[0].scale == 2 && derived::wrapper.symbolic_call_args[0].offset == 1);
static_assert(derived::wrapper.sizes.guards == 4, "the other extents (B, 4, S) and the check");

//=== the machine of these tests sees faults ===//

template <class P, auto Change> struct changed {
    static constexpr auto wrapper = [] {
        auto w = P::wrapper;
        Change(w);
        return w;
    }();
    static constexpr const auto& schedule = P::schedule;
    static constexpr std::int64_t arena_bytes(const symbol_values& = {}) { return wrapper.static_arena_bytes; }
    static constexpr std::int64_t arena_offset(int buffer, const symbol_values& = {}) {
        return wrapper.buffers[buffer].storage < 0 ? -1 : wrapper.blocks[wrapper.buffers[buffer].storage].offset;
    }
};
template <auto Change> constexpr plan_fault after() { return run_lines<changed<program<chain>, Change>>({}); }

constexpr int line_of(const auto& w, line_kind kind, int index) {
    for (int i = 0; i < w.sizes.lines; ++i)
        if (w.lines[i].kind == kind && w.lines[i].index == index) return i;
    return -1;
}
constexpr auto drop(line_kind kind, int index) {
    return [kind, index](auto& w) { w.lines[line_of(w, kind, index)] = {line_kind::null, 0}; };
}

TEST_CASE("a plan with a fault is told from a sound one") {
    CHECK(after<[](auto&) {}>() == plan_fault::none);
    CHECK(after<[](auto& w) { drop(line_kind::allocate, 0)(w); }>() == plan_fault::dead_buffer);
    CHECK(after<[](auto& w) { drop(line_kind::free_if_not_reused, 0)(w); }>() == plan_fault::overlap);
    CHECK(after<[](auto& w) { drop(line_kind::free_if_not_reused, 4)(w); }>() == plan_fault::leak);
    CHECK(after<[](auto& w) { w.blocks[1].offset = w.blocks[0].offset; }>() == plan_fault::overlap);
    CHECK(after<[](auto& w) { w.static_arena_bytes /= 2; }>() == plan_fault::overlap);
    CHECK(after<[](auto& w) { w.frees_if_not_reused[1] = w.frees_if_not_reused[0]; }>() != plan_fault::none);
    CHECK(after<[](auto& w) { w.reuses[0].in_place = true; }>() == plan_fault::not_in_place);
    CHECK(after<[](auto& w) { w.reuses[0].old = w.reuses[1].old; }>() != plan_fault::none);
    CHECK(after<[](auto& w) { w.extern_kernels[2].lhs.buffer = w.extern_kernels[5].lhs.buffer; }>() ==
          plan_fault::dead_buffer);
}

} // namespace
} // namespace toroid::tests
