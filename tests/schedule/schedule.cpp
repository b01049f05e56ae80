// Fusion contracts: how many kernels a model is, and how many of their bodies differ.

#include <doctest/doctest.h>

#include <toroid/schedule/schedule.hpp>

#include "models.hpp"

namespace toroid::tests {
namespace {

struct counts {
    int kernels;
    int externs;
    int definitions;
    friend constexpr bool operator==(const counts&, const counts&) = default;
};
template <class Model, class Target = targets::cpu> constexpr counts counts_of() {
    using p = program<Model, Target>;
    static_assert(p::launch_count() == p::kernel_count() + p::extern_count());
    return {p::kernel_count(), p::extern_count(), p::definition_count()};
}
using unfused = targets::with_fusion_level<targets::cpu, 0>;

//=== what fuses ===//

static_assert(counts_of<classifier>() == counts{2, 2, 2}, "bias and activation follow their matmul as one kernel");
static_assert(counts_of<softmax_rows>() == counts{1, 0, 1}, "two reductions over one row");
static_assert(counts_of<softmax_middle>() == counts{1, 0, 1}, "also where the reduced axis is not the last");
static_assert(counts_of<log_softmax_rows>() == counts{1, 0, 1});
static_assert(counts_of<logsumexp_rows>() == counts{1, 0, 1});
static_assert(counts_of<layer_norm_rows>() == counts{1, 0, 1}, "mean, variance, scale and shift");
static_assert(counts_of<rms_norm_rows>() == counts{1, 0, 1});
static_assert(counts_of<variance_rows>() == counts{1, 0, 1});
static_assert(counts_of<argmax_rows>() == counts{1, 0, 1});
static_assert(counts_of<residual_chain>() == counts{1, 0, 1});
static_assert(counts_of<attention>() == counts{1, 2, 1}, "scale and softmax between the two matmuls");
static_assert(counts_of<attention_heads>() == counts{2, 2, 2},
              "heads are strides of the matmuls; the result is copied");
static_assert(counts_of<siblings>() == counts{1, 0, 1}, "two pointwise results and two reductions of one input");
static_assert(counts_of<transpose_add>() == counts{1, 0, 1}, "a transpose is an index map");
static_assert(counts_of<multi_output>() == counts{1, 0, 1});
static_assert(counts_of<sum_two_axes>() == counts{1, 0, 1});
static_assert(counts_of<broadcast_bias>() == counts{1, 0, 1});
static_assert(counts_of<concat_two>() == counts{2, 0, 2}, "one kernel per part, both into the result");
static_assert(counts_of<gated_unit>() == counts{1, 0, 1}, "slices are addresses");
static_assert(expect_kernel_count<program<classifier>, 2>);

// Row values that need no reduction (the number of elements, at run time) join the rows of the reductions that meet them.
struct symbolic_layer_norm {
    constexpr auto operator()(tensor<f32, B, S> x, tensor<f32, S> w, tensor<f32, S> b) const {
        return layer_norm(x, w, b);
    }
};
struct symbolic_rms_norm {
    constexpr auto operator()(tensor<f32, B, S> x, tensor<f32, S> w) const { return rms_norm(x, w); }
};
struct symbolic_variance {
    constexpr auto operator()(tensor<f32, B, S> x) const { return var<-1>(x); }
};
struct scaled_sums {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, B> a) const { return sum<-1>(x) * exp(a * 2); }
};
struct unlike_rows {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, 64, 4> v, tensor<f32, 4> a) const {
        return matmul(sum<-1>(x, keepdim) * exp(x), v) * exp(a);
    }
};
static_assert(counts_of<symbolic_layer_norm>() == counts{1, 0, 1});
static_assert(counts_of<symbolic_rms_norm>() == counts{1, 0, 1});
static_assert(counts_of<symbolic_variance>() == counts{1, 0, 1});
static_assert(counts_of<scaled_sums>() == counts{1, 0, 1});
static_assert(counts_of<unlike_rows>() == counts{3, 1, 3}, "a matmul keeps the rows before it and after it apart");

//=== equal layers ===//

// First norm, gelu, residual sum with the next norm, last residual sum.
static_assert(counts_of<twelve_blocks>() == counts{25, 24, 4}, "twelve equal layers are defined once");

/// Layers that do not fuse into each other, to count their calls.
template <int Layers> struct layers {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        for (int i = 0; i < Layers; ++i) x = matmul(tanh(x), w);
        return x;
    }
};
static_assert(counts_of<layers<1>>() == counts{1, 1, 1});
static_assert(counts_of<layers<12>>() == counts{12, 12, 1});
struct different_constants {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        for (int i = 0; i < 4; ++i) x = matmul(x * (i + 2), w);
        return x;
    }
};
static_assert(counts_of<different_constants>() == counts{4, 4, 4}, "bodies with other constants are other bodies");
struct different_extents {
    constexpr auto operator()(tensor<f32, B, 8> x, tensor<f32, 8, 4> v, tensor<f32, 4, 8> w) const {
        return matmul(tanh(matmul(tanh(x), v)), w);
    }
};
static_assert(counts_of<different_extents>() == counts{2, 2, 2});

//=== fusion level 0: every operation is a kernel ===//

static_assert(counts_of<transpose_add, unfused>() == counts{1, 0, 1});
static_assert(counts_of<gated_unit, unfused>() == counts{2, 0, 2});
static_assert(counts_of<broadcast_bias, unfused>() == counts{3, 0, 3});
static_assert(counts_of<softmax_rows, unfused>() == counts{6, 0, 6}, "max, sub, exp, sum, reciprocal, mul");
static_assert(counts_of<residual_chain, unfused>() == counts{12, 0, 3}, "exp, mul, add four times");
static_assert(counts_of<siblings, unfused>() == counts{6, 0, 5}, "four operations; sum and max are copied to rank 1");
static_assert(counts_of<classifier, unfused>() == counts{9, 2, 9});

/// Level 0 has as many kernels as the graph has operations that compute.
template <class Model> constexpr bool every_operation_is_a_kernel() {
    using p = program<Model, unfused>;
    int operations = 0;
    for (int n = 0; n < p::graph.sizes.nodes; ++n) operations += is_computed(p::graph.nodes[n].code) ? 1 : 0;
    return operations == p::kernel_count();
}
static_assert(every_operation_is_a_kernel<classifier>() && every_operation_is_a_kernel<layer_norm_rows>() &&
              every_operation_is_a_kernel<attention_heads>() && every_operation_is_a_kernel<twelve_blocks>());

//=== lanes ===//

struct many_statistics {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        return std::tuple(sum<-1>(x), max<-1>(x), min<-1>(x), var<-1>(x), argmax<-1>(x), argmin<-1>(x));
    }
};
struct many_column_statistics {
    constexpr auto operator()(tensor<f32, 64, B> x) const {
        return std::tuple(sum<0>(x), max<0>(x), min<0>(x), var<0>(x), argmax<0>(x), argmin<0>(x));
    }
};
/// Lanes of the only kernel run along a reduced range.
template <class Model> constexpr bool lanes_are_reduced() {
    using p = program<Model>;
    static_assert(p::kernel_count() == 1);
    constexpr schedule_view s = p::schedule.view();
    const kernel_definition& d = s.definitions[0];
    return s.ranges[d.ranges.begin + d.lane_range].reduction;
}
static_assert(lanes_are_reduced<many_statistics>(), "however many row results there are, elements are read along rows");
static_assert(!lanes_are_reduced<many_column_statistics>());
static_assert(lanes_are_reduced<softmax_rows>() && !lanes_are_reduced<softmax_middle>());

//=== invariants of every schedule ===//

/// Every launch follows what it reads, writes something, and has bodies with ranges in loop order.
template <class Model, class Target = targets::cpu> constexpr bool is_sound() {
    constexpr schedule_view s = program<Model, Target>::schedule.view();
    constexpr graph_view g = program<Model, Target>::graph.view();
    bool written[g.size + 1] = {};
    for (int n = 0; n < g.size; ++n) written[n] = g.nodes[n].code == op::input || g.nodes[n].code == op::parameter;
    for (int t = 0; t < s.sizes.steps; ++t) {
        const schedule_step& step = s.steps[t];
        if (step.kind == step_kind::matmul) {
            for (int k = 0; k < 2; ++k)
                if (!written[base_of(g, g.nodes[step.node].operands[k])]) return false;
            written[step.node] = true;
            continue;
        }
        const kernel_definition& d = s.definitions[step.definition];
        if (d.stores.size() == 0 || d.arguments.size() != step.arguments.size()) return false;
        for (int a = 0; a < step.arguments.size(); ++a) {
            const int node = s.step_arguments[step.arguments.begin + a];
            const kernel_argument& argument = s.arguments[d.arguments.begin + a];
            if (argument.type != g.nodes[node].type || (!argument.written && !written[node])) return false;
        }
        for (int a = 0; a < step.arguments.size(); ++a)
            if (s.arguments[d.arguments.begin + a].written) written[s.step_arguments[step.arguments.begin + a]] = true;
        bool reduced = false;
        for (int r = d.ranges.begin; r < d.ranges.end; ++r) {
            if (reduced && !s.ranges[r].reduction) return false;
            reduced = s.ranges[r].reduction;
        }
        for (int v = d.values.begin; v < d.values.end; ++v)
            for (const int x : s.values[v].operands)
                if (x >= v - d.values.begin) return false;
    }
    return true;
}
static_assert(is_sound<classifier>() && is_sound<softmax_rows>() && is_sound<softmax_middle>() &&
              is_sound<log_softmax_rows>() && is_sound<logsumexp_rows>() && is_sound<layer_norm_rows>() &&
              is_sound<rms_norm_rows>() && is_sound<variance_rows>() && is_sound<argmax_rows>());
static_assert(is_sound<residual_chain>() && is_sound<attention>() && is_sound<attention_heads>() &&
              is_sound<siblings>() && is_sound<transpose_add>() && is_sound<multi_output>() &&
              is_sound<sum_two_axes>() && is_sound<broadcast_bias>() && is_sound<concat_two>() &&
              is_sound<gated_unit>() && is_sound<twelve_blocks>());
static_assert(is_sound<classifier, unfused>() && is_sound<attention_heads, unfused>() &&
              is_sound<siblings, unfused>() && is_sound<twelve_blocks, unfused>());

//=== the hash of a body ===//

TEST_CASE("bodies that differ in one field are different definitions") {
    // Node by node equal kernels are recognised before their bodies are built; equal bodies from other nodes after.
    using p = program<layers<12>>;
    const schedule_view s = p::schedule.view();
    CHECK(s.sizes.definitions == 1);
    for (int t = 0; t < s.sizes.steps; t += 2) {
        CHECK(s.steps[t].kind == step_kind::kernel);
        CHECK(s.steps[t].definition == 0);
    }
    schedule_builder builder = make_schedule(p::graph.view(), targets::cpu::facts);
    const kernel_definition original = builder.definitions[0];
    CHECK(detail::same_definition(builder, original, original));
    kernel_definition other = original;
    other.stages = 2;
    CHECK_FALSE(detail::same_definition(builder, original, other));
    other = original;
    other.lane_range = -1;
    CHECK_FALSE(detail::same_definition(builder, original, other));
    other = original;
    other.stores.end = other.stores.begin;
    CHECK_FALSE(detail::same_definition(builder, original, other));
}

} // namespace
} // namespace toroid::tests
