#pragma once
// schedule: the graph as an ordered list of kernels and matmuls, with every body defined once and every pair left apart
// explained.

#include <toroid/schedule/structure.hpp>

namespace toroid {

enum class step_kind : std::uint8_t { kernel, matmul };

/// One launch: a kernel with its arguments, or a matmul.
struct schedule_step {
    step_kind kind = step_kind::kernel;
    int definition = -1; ///< kernels
    table_rows arguments; ///< kernels: storage nodes, in the definition's order
    int node = -1; ///< matmul
};

/// The schedule under construction.
struct schedule_builder {
    growable<kernel_definition> definitions;
    growable<kernel_value> values;
    growable<kernel_access> accesses;
    growable<kernel_store> stores;
    growable<kernel_argument> arguments;
    growable<kernel_range> ranges;
    growable<dim> dims;
    growable<schedule_step> steps;
    growable<int> step_arguments;
    growable<int> step_of; ///< by node: the step that computes it, or -1
    growable<bool> stored; ///< by node: has a buffer
    growable<unfused_pair> unfused;
};

struct schedule_sizes {
    int definitions, values, accesses, stores, arguments, ranges, dims, steps, step_arguments, unfused, nodes;
};

constexpr schedule_sizes sizes_of(const schedule_builder& s) {
    return {s.definitions.size(),    s.values.size(),  s.accesses.size(), s.stores.size(),
            s.arguments.size(),      s.ranges.size(),  s.dims.size(),     s.steps.size(),
            s.step_arguments.size(), s.unfused.size(), s.step_of.size()};
}

/// Read-only view of a schedule.
struct schedule_view {
    const kernel_definition* definitions;
    const kernel_value* values;
    const kernel_access* accesses;
    const kernel_store* stores;
    const kernel_argument* arguments;
    const kernel_range* ranges;
    const dim* dims;
    const schedule_step* steps;
    const int* step_arguments;
    const int* step_of;
    const bool* stored;
    const unfused_pair* unfused;
    schedule_sizes sizes;
};

/// A schedule as a constant.
template <int Definitions, int Values, int Accesses, int Stores, int Arguments, int Ranges, int Dims, int Steps,
          int StepArguments, int Unfused, int Nodes>
struct frozen_schedule {
    kernel_definition definitions[Definitions + 1] = {};
    kernel_value values[Values + 1] = {};
    kernel_access accesses[Accesses + 1] = {};
    kernel_store stores[Stores + 1] = {};
    kernel_argument arguments[Arguments + 1] = {};
    kernel_range ranges[Ranges + 1] = {};
    dim dims[Dims + 1] = {};
    schedule_step steps[Steps + 1] = {};
    int step_arguments[StepArguments + 1] = {};
    int step_of[Nodes + 1] = {};
    bool stored[Nodes + 1] = {};
    unfused_pair unfused[Unfused + 1] = {};
    schedule_sizes sizes = {};

    [[nodiscard]] constexpr schedule_view view() const {
        return {definitions, values,         accesses, stores, arguments, ranges, dims,
                steps,       step_arguments, step_of,  stored, unfused,   sizes};
    }
};

namespace detail {

/// Dims of one definition, renumbered from 0 by first use.
struct local_dims {
    const dim_table& table;
    growable<dim>& dims;
    int begin;
    growable<int> known; ///< scheduler number of each local dim

    constexpr int operator()(int number) {
        for (int i = 0; i < known.size(); ++i)
            if (known[i] == number) return i;
        dims.push(table[number]);
        return known.push(number);
    }
};

template <class T> constexpr bool same_rows(const growable<T>& table, const table_rows& a, const table_rows& b) {
    if (a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i)
        if (!(table[a.begin + i] == table[b.begin + i])) return false;
    return true;
}

constexpr std::uint64_t hash_rows(const schedule_builder& s, const kernel_definition& d) {
    std::uint64_t h = static_cast<std::uint64_t>(d.values.size()) << 32 | static_cast<std::uint64_t>(d.accesses.size());
    for (int i = d.values.begin; i < d.values.end; ++i) {
        const kernel_value& v = s.values[i];
        h = hash_combine(h, static_cast<std::uint64_t>(v.kind) << 16 | static_cast<std::uint64_t>(v.code) << 8 |
                                static_cast<std::uint64_t>(v.type));
        h = hash_combine(h, static_cast<std::uint64_t>(v.payload));
        h = hash_combine(h, static_cast<std::uint64_t>(v.operands[0] + 1) << 20 ^
                                static_cast<std::uint64_t>(v.operands[1] + 1));
    }
    for (int i = d.dims.begin; i < d.dims.end; ++i)
        h = hash_combine(h, static_cast<std::uint64_t>(s.dims[i].k) ^ s.dims[i].m1 << 7 ^
                                static_cast<std::uint64_t>(s.dims[i].c1) << 20);
    return h;
}

constexpr bool same_definition(const schedule_builder& s, const kernel_definition& a, const kernel_definition& b) {
    return a.hash == b.hash && a.stages == b.stages && a.lane_range == b.lane_range &&
           same_rows(s.values, a.values, b.values) && same_rows(s.accesses, a.accesses, b.accesses) &&
           same_rows(s.stores, a.stores, b.stores) && same_rows(s.arguments, a.arguments, b.arguments) &&
           same_rows(s.ranges, a.ranges, b.ranges) && same_rows(s.dims, a.dims, b.dims);
}

/// Appends a body to the tables and returns the number of an equal, earlier definition if there is one.
constexpr int define_kernel(schedule_builder& s, const kernel_body_builder& body, const dim_table& table) {
    kernel_definition d;
    d.values.begin = s.values.size();
    d.accesses.begin = s.accesses.size();
    d.stores.begin = s.stores.size();
    d.arguments.begin = s.arguments.size();
    d.ranges.begin = s.ranges.size();
    d.dims.begin = s.dims.size();
    d.stages = body.stages;
    d.lane_range = body.lane_range;
    local_dims local{table, s.dims, d.dims.begin, {}};
    for (const kernel_range& r : body.ranges) s.ranges.push({local(r.extent), r.reduction});
    for (kernel_access a : body.accesses) {
        a.offset = local(a.offset);
        for (int r = 0; r < body.ranges.size(); ++r) a.strides[r] = local(a.strides[r]);
        s.accesses.push(a);
    }
    for (kernel_value v : body.values) {
        if (v.kind == value_kind::extent) v.access = local(v.access);
        s.values.push(v);
    }
    for (const kernel_store& store : body.stores) s.stores.push(store);
    for (const kernel_argument& argument : body.arguments) s.arguments.push(argument);
    d.values.end = s.values.size();
    d.accesses.end = s.accesses.size();
    d.stores.end = s.stores.size();
    d.arguments.end = s.arguments.size();
    d.ranges.end = s.ranges.size();
    d.dims.end = s.dims.size();
    d.hash = hash_rows(s, d);
    for (int i = s.definitions.size() - 1; i >= 0; --i) {
        if (!same_definition(s, s.definitions[i], d)) continue;
        while (s.values.size() > d.values.begin) s.values.pop();
        while (s.accesses.size() > d.accesses.begin) s.accesses.pop();
        while (s.stores.size() > d.stores.begin) s.stores.pop();
        while (s.arguments.size() > d.arguments.begin) s.arguments.pop();
        while (s.ranges.size() > d.ranges.begin) s.ranges.pop();
        while (s.dims.size() > d.dims.begin) s.dims.pop();
        return i;
    }
    return s.definitions.push(d);
}

/// A group whose body was built, to be recognised when it repeats.
struct built_group {
    int group = -1;
    int step = -1;
    std::uint64_t hash = 0;
};

/// Appends the step of a group: built, or as a repetition of an earlier group.
constexpr void add_kernel(schedule_builder& s, growable<built_group>& built, kernel_builder& builder,
                          structure_comparison& comparison, int group) {
    schedule_step step;
    step.arguments.begin = s.step_arguments.size();
    const std::uint64_t hash = structure_hash(builder.state, builder.storage, group);
    for (int i = 0; i < built.size(); ++i) {
        if (built[i].hash != hash) continue;
        const built_group earlier = built[i];
        if (!comparison.same(earlier.group, group)) continue;
        const schedule_step model = s.steps[earlier.step];
        step.definition = model.definition;
        for (int a = model.arguments.begin; a < model.arguments.end; ++a)
            s.step_arguments.push(comparison.pairs.partner(s.step_arguments[a]));
        step.arguments.end = s.step_arguments.size();
        s.steps.push(step);
        return;
    }
    const kernel_body_builder body = builder.build(group);
    step.definition = define_kernel(s, body, builder.state.graph.dims);
    for (const int node : body.argument_nodes) s.step_arguments.push(node);
    step.arguments.end = s.step_arguments.size();
    built.push({group, s.steps.push(step), hash});
}

} // namespace detail

/// Schedules a graph for a target: fusion, order, storage, kernel bodies.
constexpr schedule_builder make_schedule(const graph_view& g, const target_facts& facts) {
    fusion_state state(g, facts);
    state.fuse_vertically();
    fuse_siblings(state);
    const unit_order order = order_units(state);
    storage_choice storage = choose_storage(state);
    schedule_builder result;
    result.step_of.resize(g.size, -1);
    detail::kernel_builder builder(state, storage);
    detail::structure_comparison comparison(state, storage);
    growable<detail::built_group> built;
    for (int u = 0; u < order.units.size(); ++u) {
        const schedule_unit& unit = order.units[u];
        if (unit.group >= 0) {
            bool needed = false; // a group whose readers all compute it again launches nothing
            for (int n = state.groups[unit.group].first; n >= 0; n = state.next[n])
                needed = needed || storage.needed[n];
            if (!needed) continue;
            detail::add_kernel(result, built, builder, comparison, unit.group);
            for (int n = state.groups[unit.group].first; n >= 0; n = state.next[n])
                if (storage.needed[n]) result.step_of[n] = result.steps.size() - 1;
        } else if (g.nodes[unit.node].code == op::matmul && storage.needed[unit.node]) {
            schedule_step step;
            step.kind = step_kind::matmul;
            step.node = unit.node;
            result.step_of[unit.node] = result.steps.push(step);
        }
    }
    result.stored = static_cast<growable<bool>&&>(storage.stored);
    result.unfused = static_cast<growable<unfused_pair>&&>(storage.unfused);
    return result;
}

/// Read-only view of a schedule under construction.
constexpr schedule_view view_of(const schedule_builder& s) {
    return {s.definitions.data(), s.values.data(),  s.accesses.data(), s.stores.data(),         s.arguments.data(),
            s.ranges.data(),      s.dims.data(),    s.steps.data(),    s.step_arguments.data(), s.step_of.data(),
            s.stored.data(),      s.unfused.data(), sizes_of(s)};
}

/// Copies a schedule into a constant of the given table sizes.
template <int Definitions, int Values, int Accesses, int Stores, int Arguments, int Ranges, int Dims, int Steps,
          int StepArguments, int Unfused, int Nodes>
constexpr auto freeze(const schedule_view& s) {
    frozen_schedule<Definitions, Values, Accesses, Stores, Arguments, Ranges, Dims, Steps, StepArguments, Unfused,
                    Nodes>
        r;
    detail::copy_table(r.definitions, s.definitions, s.sizes.definitions);
    detail::copy_table(r.values, s.values, s.sizes.values);
    detail::copy_table(r.accesses, s.accesses, s.sizes.accesses);
    detail::copy_table(r.stores, s.stores, s.sizes.stores);
    detail::copy_table(r.arguments, s.arguments, s.sizes.arguments);
    detail::copy_table(r.ranges, s.ranges, s.sizes.ranges);
    detail::copy_table(r.dims, s.dims, s.sizes.dims);
    detail::copy_table(r.steps, s.steps, s.sizes.steps);
    detail::copy_table(r.step_arguments, s.step_arguments, s.sizes.step_arguments);
    detail::copy_table(r.step_of, s.step_of, s.sizes.nodes);
    detail::copy_table(r.stored, s.stored, s.sizes.nodes);
    detail::copy_table(r.unfused, s.unfused, s.sizes.unfused);
    r.sizes = s.sizes;
    return r;
}
template <int Definitions, int Values, int Accesses, int Stores, int Arguments, int Ranges, int Dims, int Steps,
          int StepArguments, int Unfused, int Nodes>
constexpr auto freeze(const schedule_builder& s) {
    return freeze<Definitions, Values, Accesses, Stores, Arguments, Ranges, Dims, Steps, StepArguments, Unfused, Nodes>(
        view_of(s));
}

} // namespace toroid
