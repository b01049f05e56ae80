#pragma once
// lower: schedule to lines. Buffers, live ranges, greedy reuse, in-place reuse, arena.

#include <toroid/wrapper/memory.hpp>

namespace toroid {

namespace detail {

/// The letter of `c*S + k`, or 0.
constexpr char solvable_symbol(const dim& d) {
    return d.is_affine() && d.c1 > 0 && d.c2 == 0 && (d.m1 >> 8) == 0 ? static_cast<char>(d.m1) : '\0';
}

struct lowering {
    graph_view g;
    schedule_view s;
    target_facts facts;
    wrapper_builder w;
    growable<int> buffer_of;   ///< by node: buffer that holds its value
    growable<int> last_step;   ///< by buffer
    growable<int> storage_node; ///< by node: itself, or the concat whose buffer it is written into
    growable<int> free_pool;   ///< buffers whose storage is free
    growable<reinterpret_line> reinterpreted; ///< outputs that are reshapes of what is computed
    growable<int> free_line_of; ///< by buffer: its free line, to be marked as reused
    growable<bool> gone; ///< by buffer: freed, or its storage taken over

    constexpr lowering(const graph_view& graph, const schedule_view& schedule, const target_facts& target)
        : g(graph), s(schedule), facts(target), buffer_of(graph.size, -1), storage_node(graph.size, -1) {}

    constexpr int add_buffer(int node, buffer_role role, int number) {
        wrapper_buffer b;
        b.role = role;
        b.type = g.nodes[node].type;
        b.number = number;
        b.node = node;
        b.label = g.nodes[node].label;
        b.extents = g.extents_of(node);
        b.elements = b.extents.numel();
        const bool overflows = b.elements.is_constant() && b.elements.k > max_bytes / size_of(b.type);
        w.fault.arena_overflows = w.fault.arena_overflows || overflows;
        b.bytes = overflows ? dim(0) : b.elements * dim(size_of(b.type));
        last_step.push(-1);
        free_line_of.push(-1);
        gone.push(false);
        return w.buffers.push(b);
    }

    //=== buffers at entry ===//

    constexpr void enter() {
        bool bound[52] = {};
        for (int n = 0; n < g.size; ++n) {
            const node& x = g.nodes[n];
            if (x.code != op::input && x.code != op::parameter) continue;
            const bool input = x.code == op::input;
            buffer_of[n] =
                add_buffer(n, input ? buffer_role::input : buffer_role::parameter, static_cast<int>(x.payload));
            if (!input) w.push(constant_line{buffer_of[n]});
        }
        for (int n = 0; n < g.size; ++n) {
            if (g.nodes[n].code != op::input) continue;
            for (int a = 0; a < g.rank_of(n); ++a) {
                const dim extent = g.extent(n, a);
                const char name = solvable_symbol(extent);
                if (name == 0 || bound[symbol_values::slot(name)]) continue;
                bound[symbol_values::slot(name)] = true;
                w.push(symbolic_call_arg_line{name, static_cast<int>(g.nodes[n].payload), a, extent.c1, extent.k});
            }
        }
        for (int n = 0; n < g.size; ++n)
            if (buffer_of[n] >= 0) guard_extents(n, bound);
        for (int i = 0; i < g.guard_count; ++i) {
            require_bound(g.guards[i].lhs, bound);
            require_bound(g.guards[i].rhs, bound);
            w.push(guard_line{g.guards[i].kind, g.guards[i].assumed, -1, -1, g.guards[i].lhs, g.guards[i].rhs});
        }
        for (int i = 0; i < g.dim_count; ++i) require_bound(g.dims[i], bound);
    }
    /// Every extent of an input or parameter that does not define a symbol is checked.
    constexpr void guard_extents(int n, const bool (&bound)[52]) {
        for (int a = 0; a < g.rank_of(n); ++a) {
            const dim extent = g.extent(n, a);
            if (g.nodes[n].code == op::input && defines(static_cast<int>(g.nodes[n].payload), a)) continue;
            require_bound(extent, bound);
            w.push(guard_line{guard_kind::equals, false, buffer_of[n], a, dim(0), extent});
        }
    }
    constexpr bool defines(int input, int axis) const {
        for (const symbolic_call_arg_line& l : w.symbolic_call_args)
            if (l.input == input && l.axis == axis) return true;
        return false;
    }
    constexpr void require_bound(const dim& d, const bool (&bound)[52]) {
        for (const std::uint64_t monomial : {d.m1, d.m2})
            for (std::uint64_t m = monomial; m != 0; m >>= 8)
                if (!bound[symbol_values::slot(static_cast<char>(m & 0xff))])
                    w.fault.unbound_symbol = static_cast<char>(m & 0xff);
    }

    //=== storage ===//

    /// Node whose buffer holds the value of a stored node.
    constexpr void find_storage_nodes() {
        for (int n = g.size - 1; n >= 0; --n) {
            if (storage_node[n] < 0) storage_node[n] = n;
            if (g.nodes[n].code == op::concat)
                for (int k = 0; k < 2; ++k) storage_node[g.nodes[n].operands[k]] = storage_node[n];
        }
    }
    constexpr void add_outputs() {
        for (int i = 0; i < g.output_count; ++i) {
            const int view = g.outputs[i].node;
            const int base = base_of(g, view);
            const int buffer = add_buffer(base, buffer_role::output, i);
            if (w.buffers[buffer].label < 0) w.buffers[buffer].label = g.outputs[i].label;
            buffer_of[base] = buffer;
            if (view == base) continue;
            const int returned = add_buffer(base, buffer_role::output, i);
            w.buffers[returned].extents = g.extents_of(view);
            w.buffers[returned].label = g.outputs[i].label;
            reinterpreted.push({buffer, returned});
        }
    }
    constexpr void find_last_steps() {
        for (int t = 0; t < s.sizes.steps; ++t) {
            const schedule_step& step = s.steps[t];
            if (step.kind == step_kind::matmul) {
                for (int k = 0; k < 2; ++k) use(base_of(g, g.nodes[step.node].operands[k]), t);
                use(step.node, t);
            } else {
                for (int i = step.arguments.begin; i < step.arguments.end; ++i) use(s.step_arguments[i], t);
            }
        }
    }
    constexpr void use(int node, int step) {
        const int at = storage_node[node];
        if (buffer_of[at] < 0) {
            const bool callee = g.nodes[at].code == op::matmul && facts.extern_allocates;
            buffer_of[at] = add_buffer(at, callee ? buffer_role::callee : buffer_role::intermediate, -1);
        }
        last_step[buffer_of[at]] = step;
    }
    constexpr int buffer_at(int node) const { return buffer_of[storage_node[node]]; }

    /// Gives a new buffer a block: of a buffer that dies in this very launch (`in_place`), of a free one, or a new one.
    constexpr void allocate(int buffer, int step, int in_place) {
        wrapper_buffer& b = w.buffers[buffer];
        if (b.role != buffer_role::intermediate || b.storage >= 0) return;
        if (b.bytes.is(0)) { // nothing to place, and nothing will be written
            w.push(null_line{});
            return;
        }
        int old = in_place;
        if (old < 0)
            for (int i = free_pool.size() - 1; i >= 0; --i) {
                const wrapper_buffer& candidate = w.buffers[free_pool[i]];
                if (candidate.type != b.type || !(candidate.bytes == b.bytes)) continue;
                old = free_pool[i];
                for (int j = i; j + 1 < free_pool.size(); ++j) free_pool[j] = free_pool[j + 1];
                free_pool.pop();
                break;
            }
        if (old >= 0) {
            b.storage = w.buffers[old].storage;
            if (free_line_of[old] >= 0) w.frees_if_not_reused[free_line_of[old]].is_reused = true;
            gone[old] = true;
            w.push(reuse_line{old, buffer, in_place >= 0});
        } else {
            arena_block block;
            block.bytes = b.bytes;
            block.begin = step;
            b.storage = w.blocks.push(block);
            w.push(allocate_line{buffer});
        }
        arena_block& block = w.blocks[b.storage];
        block.end = last_step[buffer] > block.end ? last_step[buffer] : block.end;
    }

    /// A buffer that argument `position` of a launch may write over: read at the very same places, last used here.
    constexpr int in_place_source(const schedule_step& step, int position, int step_number) const {
        const kernel_definition& d = s.definitions[step.definition];
        const int target = buffer_at(s.step_arguments[step.arguments.begin + position]);
        if (!facts.in_place || w.buffers[target].role != buffer_role::intermediate) return -1;
        int store = -1;
        for (int i = d.stores.begin; i < d.stores.end; ++i)
            if (s.accesses[d.accesses.begin + s.stores[i].access].argument == position) {
                if (store >= 0) return -1;
                store = i;
            }
        const kernel_access& written = s.accesses[d.accesses.begin + s.stores[store].access];
        const int pass = s.values[d.values.begin + s.stores[store].value].stage;
        for (int a = 0; a < step.arguments.size(); ++a) {
            if (s.arguments[d.arguments.begin + a].written) continue;
            const int candidate = buffer_at(s.step_arguments[step.arguments.begin + a]);
            const wrapper_buffer& old = w.buffers[candidate];
            if (old.role != buffer_role::intermediate || old.storage < 0 || last_step[candidate] != step_number ||
                old.type != w.buffers[target].type || !(old.bytes == w.buffers[target].bytes) || gone[candidate])
                continue;
            if (reads_only_at(d, a, written, pass)) return candidate;
        }
        return -1;
    }
    constexpr bool reads_only_at(const kernel_definition& d, int argument, const kernel_access& written,
                                 int pass) const {
        for (int i = d.values.begin; i < d.values.end; ++i) {
            const kernel_value& v = s.values[i];
            if (v.kind != value_kind::load) continue;
            const kernel_access& read = s.accesses[d.accesses.begin + v.access];
            if (read.argument != argument) continue;
            if (read.offset != written.offset || (v.passes >> pass) > 1) return false;
            for (int r = 0; r < max_ranges; ++r)
                if (read.strides[r] != written.strides[r]) return false;
        }
        return true;
    }
    constexpr void free_after(int buffer, int step) {
        const wrapper_buffer& b = w.buffers[buffer];
        if (last_step[buffer] != step || gone[buffer]) return;
        gone[buffer] = true;
        if (b.role == buffer_role::callee) w.push(free_line{buffer});
        if (b.role != buffer_role::intermediate || b.storage < 0) return;
        w.push(free_if_not_reused_line{buffer, false});
        free_line_of[buffer] = w.frees_if_not_reused.size() - 1;
        free_pool.push(buffer);
    }

    //=== launches ===//

    constexpr void lower_kernel(const schedule_step& step, int t, growable<bool>& defined) {
        const kernel_definition& d = s.definitions[step.definition];
        if (!defined[step.definition]) w.push(kernel_definition_line{step.definition});
        defined[step.definition] = true;
        int written = 0;
        for (int a = 0; a < step.arguments.size(); ++a) {
            if (!s.arguments[d.arguments.begin + a].written) continue;
            const int buffer = buffer_at(s.step_arguments[step.arguments.begin + a]);
            allocate(buffer, t, w.buffers[buffer].storage >= 0 ? -1 : in_place_source(step, a, t));
            ++written;
            if (g.nodes[w.buffers[buffer].node].label >= 0) w.push(comment_line{g.nodes[w.buffers[buffer].node].label});
        }
        kernel_call_line call;
        call.definition = step.definition;
        call.step = t;
        call.arguments.begin = w.call_arguments.size();
        for (int i = step.arguments.begin; i < step.arguments.end; ++i)
            w.call_arguments.push(buffer_at(s.step_arguments[i]));
        call.arguments.end = w.call_arguments.size();
        w.push(call);
        int position = 0;
        for (int a = 0; a < step.arguments.size() && written > 1; ++a)
            if (s.arguments[d.arguments.begin + a].written)
                w.push(multi_output_line{t, position++, buffer_at(s.step_arguments[step.arguments.begin + a])});
        for (int i = step.arguments.begin; i < step.arguments.end; ++i) free_after(buffer_at(s.step_arguments[i]), t);
    }

    constexpr buffer_window window(int view) const {
        const strided_view v = resolve_strides(g, view);
        const int rank = g.rank_of(view);
        buffer_window result;
        result.buffer = buffer_at(v.base);
        result.offset = v.offset;
        result.row_stride = v.strides[rank - 2];
        result.column_stride = v.strides[rank - 1];
        for (int a = 0; a < rank - 2; ++a) result.batch_strides[a] = v.strides[a];
        return result;
    }
    constexpr void lower_matmul(int node, int t) {
        const struct node& n = g.nodes[node];
        const int rank = g.rank_of(node);
        extern_kernel_line line;
        line.type = n.type;
        line.batch_rank = rank - 2;
        for (int a = 0; a < rank - 2; ++a) line.batch[a] = g.extent(node, a);
        line.m = g.extent(node, rank - 2);
        line.n = g.extent(node, rank - 1);
        line.k = g.extent(n.operands[0], rank - 1);
        line.lhs = window(n.operands[0]);
        line.rhs = window(n.operands[1]);
        line.out = buffer_at(node);
        line.step = t;
        if (n.label >= 0) w.push(comment_line{n.label});
        if (w.buffers[line.out].role == buffer_role::callee) {
            w.push(extern_kernel_alloc_line{line});
        } else {
            allocate(line.out, t, -1);
            w.push(line);
        }
        free_after(line.lhs.buffer, t);
        free_after(line.rhs.buffer, t);
        free_after(line.out, t); // a result that nobody reads
    }

    constexpr void run() {
        enter();
        find_storage_nodes();
        add_outputs();
        find_last_steps();
        growable<bool> defined(s.sizes.definitions, false);
        for (int t = 0; t < s.sizes.steps; ++t) {
            const schedule_step& step = s.steps[t];
            if (step.kind == step_kind::matmul) lower_matmul(step.node, t);
            else lower_kernel(step, t, defined);
        }
        for (const reinterpret_line& l : reinterpreted) w.push(l);
        plan_memory(w, facts);
    }
};

} // namespace detail

/// Lowers a schedule to lines and plans the memory.
constexpr wrapper_builder lower(const graph_view& g, const schedule_view& s, const target_facts& facts) {
    detail::lowering l(g, s, facts);
    l.run();
    return static_cast<wrapper_builder&&>(l.w);
}

} // namespace toroid
