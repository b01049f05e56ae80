// All passes together: what a traced model looks like to the scheduler, and the stated table sizes.

#include <toroid/pass/pipeline.hpp>

#include <toroid/expr/expr.hpp>
#include <toroid/nn/activation.hpp>
#include <toroid/nn/normalization.hpp>

#include <doctest/doctest.h>

#include "../expr/recording.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');

template <class Model> constexpr graph optimized() { return optimize(trace_model<Model>().recorded().view()); }

/// The optimised graph is valid, fits the stated tables, and has neither composites nor dead nodes.
template <class Model> constexpr bool is_sound() {
    const trace t = trace_model<Model>();
    const graph_sizes room = capacity_after_passes(t.recorded().view());
    const graph g = optimize(t.recorded().view());
    const graph_sizes need = sizes_of(g.view());
    const growable<int> uses = use_counts(g.view());
    for (int i = 0; i < g.nodes.size(); ++i)
        if ((uses[i] == 0 && g.nodes[i].code != op::input) || is_composite(g.nodes[i].code)) return false;
    return validate(g.view()).ok() && need.nodes <= room.nodes && need.shapes <= room.shapes &&
           need.dims <= room.dims && need.labels <= room.labels && need.outputs <= room.outputs &&
           need.guards <= room.guards;
}

//=== one kernel's worth: shared subexpressions once, scalars folded, dead code gone ===//

struct repeated {
    constexpr auto operator()(tensor<f32, N> x, tensor<f32, N> unused) const {
        const auto a = exp(x) * 1.0;
        const auto b = exp(x);
        sin(unused);
        const auto half = 2.0 * full_like(x, 0.25);
        return half * (a + b);
    }
};
constexpr const char* repeated_text = "0 input f32[N] 'input0'\n"
                                      "1 input f32[N] 'input1'\n"
                                      "2 exp f32[N] 0\n"
                                      "3 constant f32[N] #0.5\n"
                                      "4 add f32[N] 2 2\n"
                                      "5 mul f32[N] 3 4\n"
                                      "-> 5";
static_assert(reads(optimized<repeated>().view(), repeated_text) && is_sound<repeated>());

//=== composites ===//

struct attention_row {
    constexpr auto operator()(tensor<f32, N, 8> x) const { return named(softmax(x), "probabilities"); }
};
static_assert(is_sound<attention_row>());
constexpr const char* softmax_text = "0 input f32[N,8] 'input0'\n"
                                     "1 max f32[N,1] 0 (2)\n"
                                     "2 expand f32[N,8] 1\n"
                                     "3 sub f32[N,8] 0 2\n"
                                     "4 exp f32[N,8] 3\n"
                                     "5 sum f32[N,1] 4 (2)\n"
                                     "6 reciprocal f32[N,1] 5\n"
                                     "7 expand f32[N,8] 6\n"
                                     "8 mul f32[N,8] 4 7 'probabilities'\n"
                                     "-> 8";
static_assert(reads(optimized<attention_row>().view(), softmax_text));

struct statistics {
    constexpr auto operator()(tensor<f32, N, 8> x) const {
        return std::tuple{layer_norm(x),     var<0>(x),        logsumexp(x),
                          log_softmax<0>(x), mean(x, keepdim), softmax(transpose(x))};
    }
};
static_assert(is_sound<statistics>());

// layer_norm computes the mean twice as written, once as optimised.
struct normalized {
    constexpr auto operator()(tensor<f32, N, 8> x) const { return layer_norm(x); }
};
constexpr int reductions_of(const graph& g) {
    int count = 0;
    for (const node& n : g.nodes) count += is_reduction(n.code) ? 1 : 0;
    return count;
}
static_assert(is_sound<normalized>() && reductions_of(optimized<normalized>()) == 2);

//=== outputs that need copies, views of views, empty models ===//

struct returned {
    BOOST_HANA_DEFINE_STRUCT(returned, (tensor<f32, 4>, w));
    constexpr auto operator()(tensor<f32, N, 4> x) const {
        return std::tuple{
            x, w, transpose(transpose(x)), x * w, concat<0>(x, x), reshape<-1, 2>(x), matmul(x, transpose(x))};
    }
};
static_assert(is_sound<returned>());

struct constants_only {
    constexpr auto operator()(trace& t) const { return t.full<f32, 2>(1) + t.full<f32, 2>(2); }
};
static_assert(reads(optimized<constants_only>().view(), "0 constant f32[2] #3\n1 identity f32[2] 0\n-> 1"));

//=== optimising is idempotent for what needs no copy ===//

constexpr bool is_stable() {
    const graph once = optimized<attention_row>();
    return reads(optimize(once.view()).view(), softmax_text);
}
static_assert(is_stable());

} // namespace

TEST_CASE("models through all passes") {
    CHECK(listing(optimized<repeated>().view()) == repeated_text);
    CHECK(listing(optimized<attention_row>().view()) == softmax_text);
    CHECK(is_sound<returned>());
    CHECK(is_sound<statistics>());
    CHECK(reductions_of(optimized<normalized>()) == 2);
}
