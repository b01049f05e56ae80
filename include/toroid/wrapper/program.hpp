#pragma once
// program: a model compiled for a target. Every stage is a constant; so are the counts, bytes and reasons.

#include <string_view>

#include <toroid/expr/model.hpp>
#include <toroid/pass/pipeline.hpp>
#include <toroid/wrapper/wrapper.hpp>

namespace toroid {

namespace detail {

/// Tables large enough for the schedules of nearly all graphs of so many nodes, so that one evaluation does; a larger one
/// is evaluated again in exact size.
constexpr schedule_sizes usual_schedule(int nodes) {
    schedule_sizes sizes = {};
    sizes.definitions = 48 + nodes / 4;
    sizes.values = sizes.dims = 512 + 2 * nodes;
    sizes.accesses = sizes.arguments = 256 + nodes;
    sizes.stores = sizes.ranges = 128 + nodes / 2;
    sizes.steps = sizes.nodes = nodes;
    sizes.step_arguments = 4 * nodes;
    sizes.unfused = 3 * nodes;
    return sizes;
}

constexpr bool fits(const schedule_sizes& need, const schedule_sizes& room) {
    return need.definitions <= room.definitions && need.values <= room.values && need.accesses <= room.accesses &&
           need.stores <= room.stores && need.arguments <= room.arguments && need.ranges <= room.ranges &&
           need.dims <= room.dims && need.steps <= room.steps && need.step_arguments <= room.step_arguments &&
           need.unfused <= room.unfused && need.nodes <= room.nodes;
}

/// The schedule in tables of size `R`.
template <schedule_sizes R, class Schedule> constexpr auto freeze_as(const Schedule& s) {
    return freeze<R.definitions, R.values, R.accesses, R.stores, R.arguments, R.ranges, R.dims, R.steps,
                  R.step_arguments, R.unfused, R.nodes>(s);
}

/// The schedule in tables of size `R`, or only its sizes if it does not fit.
template <schedule_sizes R> constexpr auto freeze_if_fits(const schedule_builder& s) {
    if (fits(sizes_of(s), R)) return freeze_as<R>(s);
    decltype(freeze_as<R>(s)) result;
    result.sizes = sizes_of(s);
    return result;
}

constexpr bool same_text(const char* a, std::string_view b) { return std::string_view(a) == b; }

} // namespace detail

/// What `expect_kernel_count` and its like print when they fail: see inspect for the whole plan.
template <class Program, int Expected, int Actual> struct kernel_count_is {
    static constexpr bool value = Expected == Actual;
    static_assert(value, "toroid E033: fusion contract: the program launches Actual kernels, not Expected; print "
                         "toroid::inspect::explain<Program>() to see the kernels and why operations were not fused");
};

/// A model compiled for a target.
template <class Model, class Target = targets::cpu> struct program {
    using model = Model;
    using target = Target;
    using inputs = typename signature<Model>::inputs;
    using result = typename signature<Model>::result;

private:
    static constexpr trace_summary recorded = summary_of(trace_model<Model>(true));
    static_assert(sizeof(traced_model<Model, recorded.fault.kind, recorded.fault.lhs, recorded.fault.rhs,
                                      recorded.fault.number>) != 0);
    static constexpr graph_sizes traced_sizes = recorded.sizes;

public:
    /// The graph as traced.
    static constexpr auto traced =
        freeze<traced_sizes.nodes, traced_sizes.shapes, traced_sizes.dims, traced_sizes.labels, traced_sizes.outputs,
               traced_sizes.guards>(trace_model<Model>().recorded().view());

private:
    static constexpr graph_sizes room = capacity_after_passes(traced.view());
    /// Large graphs take two evaluations: clang allows a million steps for each.
    static constexpr bool in_two_steps = traced_sizes.nodes > 1024;
    static constexpr auto half_optimized() {
        if constexpr (in_two_steps)
            return freeze<room.nodes, room.shapes, room.dims, room.labels, room.outputs, room.guards>(
                lower_composites(traced.view()).view());
        else return 0;
    }
    static constexpr auto halfway = half_optimized();
    static constexpr auto fully_optimized() {
        if constexpr (in_two_steps)
            return freeze<room.nodes, room.shapes, room.dims, room.labels, room.outputs, room.guards>(
                remove_redundancy(copy_of(halfway.view())).view());
        else
            return freeze<room.nodes, room.shapes, room.dims, room.labels, room.outputs, room.guards>(
                optimize(traced.view()).view());
    }

public:
    /// The graph after the passes.
    static constexpr auto graph = fully_optimized();

private:
    static constexpr schedule_sizes schedule_room = detail::usual_schedule(graph.sizes.nodes);
    static constexpr auto scheduled = detail::freeze_if_fits<schedule_room>(make_schedule(graph.view(), Target::facts));
    static constexpr auto exact_schedule() {
        if constexpr (detail::fits(scheduled.sizes, schedule_room))
            return detail::freeze_as<scheduled.sizes>(scheduled.view());
        else return detail::freeze_as<scheduled.sizes>(make_schedule(graph.view(), Target::facts));
    }

public:
    /// Kernels, their order, and the pairs left apart.
    static constexpr auto schedule = exact_schedule();

private:
    static constexpr wrapper_sizes wrapper_room = wrapper_capacity(graph.view(), schedule.view());
    static constexpr auto make_wrapper() {
        frozen_wrapper<wrapper_room.buffers, wrapper_room.lines, wrapper_room.constants,
                       wrapper_room.symbolic_call_args, wrapper_room.guards, wrapper_room.kernel_definitions,
                       wrapper_room.kernel_calls, wrapper_room.extern_kernels, wrapper_room.extern_kernel_allocs,
                       wrapper_room.multi_outputs, wrapper_room.allocates, wrapper_room.frees_if_not_reused,
                       wrapper_room.reuses, wrapper_room.reinterprets, wrapper_room.frees, wrapper_room.comments,
                       wrapper_room.call_arguments, wrapper_room.blocks, wrapper_room.slots>
            result;
        const wrapper_builder built = lower(graph.view(), schedule.view(), Target::facts);
        detail::copy_wrapper(result, built, sizes_of(built));
        return result;
    }

public:
    /// The lines and the memory plan.
    static constexpr auto wrapper = make_wrapper();
    static_assert(sizeof(lowered_program<program, wrapper.fault.unbound_symbol, wrapper.fault.arena_overflows>) != 0);

    /// Tables behind `kernel_body`: what a kernel_definition line holds.
    static constexpr const auto& tables = schedule;
    static constexpr const kernel_definition* definitions = schedule.definitions;
    /// Labels that comment lines and buffers name.
    static constexpr const label* labels = graph.labels;

    static constexpr int input_count = type_list<>::size + inputs::size;
    static constexpr int parameter_count = traced.parameter_count;
    static constexpr int output_count = traced.sizes.outputs;

    //=== contracts ===//

    /// Launches of generated kernels in one run.
    static constexpr int kernel_count() { return wrapper.sizes.kernel_calls; }
    /// Launches of library kernels (matmul).
    static constexpr int extern_count() { return wrapper.sizes.extern_kernels + wrapper.sizes.extern_kernel_allocs; }
    /// Everything launched in one run.
    static constexpr int launch_count() { return kernel_count() + extern_count(); }
    /// Distinct kernel bodies.
    static constexpr int definition_count() { return wrapper.sizes.kernel_definitions; }

    /// Largest symbol values that the model's checks allow, where they say so: from `check(B <= 64)`.
    static constexpr symbol_values symbol_maxima() {
        symbol_values maxima;
        for (int i = 0; i < graph.sizes.guards; ++i) {
            const guard& g = graph.guards[i];
            if (g.kind != guard_kind::less_or_equal || !g.rhs.is_constant() || !g.lhs.is_affine()) continue;
            if (g.lhs.c1 != 1 || g.lhs.c2 != 0 || (g.lhs.m1 >> 8) != 0) continue;
            const char name = static_cast<char>(g.lhs.m1);
            const std::int64_t most = g.rhs.k - g.lhs.k;
            const int slot = symbol_values::slot(name);
            if (most >= 0 && (!maxima.bound[slot] || most < maxima.values[slot])) maxima.set(name, most);
        }
        return maxima;
    }

    /// Bytes of the arena for the given symbol values.
    static constexpr std::int64_t arena_bytes(const symbol_values& symbols = {}) {
        if (wrapper.static_arena) return wrapper.static_arena_bytes;
        std::int64_t bytes = 0;
        for (int i = 0; i < wrapper.sizes.slots; ++i)
            bytes += align_up(wrapper.slots[i].bytes.evaluate(symbols), Target::facts.alignment);
        return bytes;
    }
    /// Offset in the arena of an intermediate buffer; -1 for buffers outside the arena.
    static constexpr std::int64_t arena_offset(int buffer, const symbol_values& symbols = {}) {
        if (wrapper.buffers[buffer].storage < 0) return -1;
        const arena_block& block = wrapper.blocks[wrapper.buffers[buffer].storage];
        if (wrapper.static_arena) return block.offset;
        std::int64_t offset = 0;
        for (int i = 0; i < block.slot; ++i)
            offset += align_up(wrapper.slots[i].bytes.evaluate(symbols), Target::facts.alignment);
        return offset;
    }

    /// Bytes that launches read and write in memory: per launch, each buffer argument once per read and once per write.
    static constexpr std::int64_t bytes_moved(const symbol_values& symbols = {}) {
        std::int64_t bytes = 0;
        const auto size = [&](int buffer) { return wrapper.buffers[buffer].bytes.evaluate(symbols); };
        for (int i = 0; i < wrapper.sizes.kernel_calls; ++i) {
            const kernel_call_line& call = wrapper.kernel_calls[i];
            for (int a = 0; a < call.arguments.size(); ++a)
                bytes += size(wrapper.call_arguments[call.arguments.begin + a]);
        }
        for (int i = 0; i < extern_count(); ++i) {
            const extern_kernel_line& call = i < wrapper.sizes.extern_kernels
                                                 ? wrapper.extern_kernels[i]
                                                 : wrapper.extern_kernel_allocs[i - wrapper.sizes.extern_kernels].call;
            bytes += size(call.lhs.buffer) + size(call.rhs.buffer) + size(call.out);
        }
        return bytes;
    }

    /// Node of the optimised graph with a label; -1 when no node has it (it may have been dropped as unused).
    static constexpr int node_of(std::string_view label) {
        for (int i = 0; i < graph.sizes.nodes; ++i)
            if (graph.nodes[i].label >= 0 && detail::same_text(graph.labels[graph.nodes[i].label].text, label))
                return i;
        return -1;
    }
    /// Number of the launch (0, 1, …) that computes a labelled node; -1 when none does.
    static constexpr int kernel_of(std::string_view label) {
        const int node = node_of(label);
        return node < 0 ? -1 : schedule.step_of[base_of(graph.view(), node)];
    }
    /// Why two labelled nodes are not in one kernel; `fused` when they are.
    static constexpr fusion_reason why_not_fused(std::string_view producer, std::string_view consumer) {
        return why_not_fused(node_of(producer), node_of(consumer));
    }
    /// Why two nodes of the optimised graph are not in one kernel.
    static constexpr fusion_reason why_not_fused(int producer, int consumer) {
        if (producer < 0 || consumer < 0) return fusion_reason::not_adjacent;
        producer = base_of(graph.view(), producer);
        consumer = base_of(graph.view(), consumer);
        const int a = schedule.step_of[producer];
        const int b = schedule.step_of[consumer];
        if (a >= 0 && a == b) return fusion_reason::fused;
        // Any recorded pair between the two launches explains them, the asked one best.
        fusion_reason between = fusion_reason::not_adjacent;
        for (int i = 0; i < schedule.sizes.unfused; ++i) {
            const unfused_pair& pair = schedule.unfused[i];
            if (pair.producer == producer && pair.consumer == consumer) return pair.reason;
            if (a >= 0 && b >= 0 && schedule.step_of[pair.producer] == a && schedule.step_of[pair.consumer] == b)
                between = pair.reason;
        }
        return between;
    }
};

/// Static contract with an explaining error: `static_assert(expect_kernel_count<net, 2>);`
template <class Program, int Expected>
inline constexpr bool expect_kernel_count = kernel_count_is<Program, Expected, Program::kernel_count()>::value;

} // namespace toroid
