// decompose: each composite as its formula, node by node.

#include <toroid/pass/decompose.hpp>

#include <doctest/doctest.h>

#include "../graph/sketch.hpp"

using namespace toroid;
using test_graph::listing;
using test_graph::reads;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');

/// A composite over the last axis of f32[2, n], labelled.
constexpr sketch composite(op code, dim n, std::int64_t extra = 0) {
    sketch s({2, n});
    const int x = s.input();
    if (code != op::softmax && code != op::log_softmax) s.at({2, 1});
    s.output(s.named(s.add(code, f32, x, -1, -1, 2 | extra << 8), "y"));
    return s;
}
constexpr graph decomposed(op code, dim n, std::int64_t extra = 0) {
    return decompose(composite(code, n, extra).view());
}

//=== mean ===//

constexpr const char* mean_text = "0 input f32[2,4]\n"
                                  "1 sum f32[2,1] 0 (2)\n"
                                  "2 constant f32[2,1] #4\n"
                                  "3 div f32[2,1] 1 2 'y'\n"
                                  "-> 3";
static_assert(reads(decomposed(op::mean, 4).view(), mean_text));

// A run-time extent is a value of its own, kept from going below 0.
constexpr const char* symbolic_mean_text = "0 input f32[2,N]\n"
                                           "1 sum f32[2,1] 0 (2)\n"
                                           "2 extent f32[2,1] (N)\n"
                                           "3 constant f32[2,1] #0\n"
                                           "4 maximum f32[2,1] 2 3\n"
                                           "5 div f32[2,1] 1 4 'y'\n"
                                           "-> 5";
static_assert(reads(decomposed(op::mean, N).view(), symbolic_mean_text));

//=== variance: two passes; a divisor below 0 is 0, so that the result is NaN ===//

constexpr const char* var_text = "0 input f32[2,4]\n"
                                 "1 sum f32[2,1] 0 (2)\n"
                                 "2 constant f32[2,1] #4\n"
                                 "3 div f32[2,1] 1 2\n"
                                 "4 expand f32[2,4] 3\n"
                                 "5 sub f32[2,4] 0 4\n"
                                 "6 mul f32[2,4] 5 5\n"
                                 "7 sum f32[2,1] 6 (2)\n"
                                 "8 constant f32[2,1] #3\n"
                                 "9 div f32[2,1] 7 8 'y'\n"
                                 "-> 9";
static_assert(reads(decomposed(op::var, 4, 1).view(), var_text));

constexpr double var_divisor(dim n, int correction) {
    const graph g = decomposed(op::var, n, correction);
    return floating_constant(g.nodes[g.nodes[g.outputs[0].node].operands[1]]);
}
static_assert(var_divisor(4, 0) == 4 && var_divisor(4, 1) == 3 && var_divisor(1, 1) == 0 && var_divisor(0, 1) == 0);

//=== softmax: shifted by the maximum ===//

constexpr const char* softmax_text = "0 input f32[2,4]\n"
                                     "1 max f32[2,1] 0 (2)\n"
                                     "2 expand f32[2,4] 1\n"
                                     "3 sub f32[2,4] 0 2\n"
                                     "4 exp f32[2,4] 3\n"
                                     "5 sum f32[2,1] 4 (2)\n"
                                     "6 reciprocal f32[2,1] 5\n"
                                     "7 expand f32[2,4] 6\n"
                                     "8 mul f32[2,4] 4 7 'y'\n"
                                     "-> 8";
static_assert(reads(decomposed(op::softmax, 4).view(), softmax_text));

// "?" is log2(e): powers of two cost less, and in a sum their error has no weight.
constexpr const char* log_softmax_text = "0 input f32[2,N]\n"
                                         "1 max f32[2,1] 0 (2)\n"
                                         "2 expand f32[2,N] 1\n"
                                         "3 sub f32[2,N] 0 2\n"
                                         "4 constant f32[2,N] #?\n"
                                         "5 mul f32[2,N] 3 4\n"
                                         "6 exp2 f32[2,N] 5\n"
                                         "7 sum f32[2,1] 6 (2)\n"
                                         "8 log f32[2,1] 7\n"
                                         "9 expand f32[2,N] 8\n"
                                         "10 sub f32[2,N] 3 9 'y'\n"
                                         "-> 10";
static_assert(reads(decomposed(op::log_softmax, N).view(), log_softmax_text));

constexpr double shift_factor() {
    const graph g = decomposed(op::log_softmax, N);
    return floating_constant(g.nodes[4]);
}
static_assert(shift_factor() == 1.44269504088896340736);

//=== logsumexp: an infinite maximum shifts by 0 ===//

constexpr const char* logsumexp_text = "0 input f32[2,4]\n"
                                       "1 max f32[2,1] 0 (2)\n"
                                       "2 isinf bool[2,1] 1\n"
                                       "3 constant f32[2,1] #0\n"
                                       "4 where f32[2,1] 2 3 1\n"
                                       "5 expand f32[2,4] 4\n"
                                       "6 sub f32[2,4] 0 5\n"
                                       "7 constant f32[2,4] #?\n"
                                       "8 mul f32[2,4] 6 7\n"
                                       "9 exp2 f32[2,4] 8\n"
                                       "10 sum f32[2,1] 9 (2)\n"
                                       "11 log f32[2,1] 10\n"
                                       "12 add f32[2,1] 11 4 'y'\n"
                                       "-> 12";
static_assert(reads(decomposed(op::logsumexp, 4).view(), logsumexp_text));

//=== the rest of the graph is copied; nothing composite is left; the stated bound holds ===//

constexpr bool leaves_no_composite() {
    for (const op code : {op::mean, op::var, op::softmax, op::log_softmax, op::logsumexp})
        for (const dim n : {dim(4), N}) {
            const graph g = decomposed(code, n, code == op::var ? 1 : 0);
            if (g.nodes.size() - 2 > decomposed_nodes) return false;
            for (const node& x : g.nodes)
                if (is_composite(x.code)) return false;
        }
    return true;
}
static_assert(leaves_no_composite());

constexpr sketch plain() {
    sketch s({2});
    const int x = s.named(s.input(), "x");
    s.output(s.add(op::exp, f32, x)).output(x);
    return s;
}
static_assert(reads(decompose(plain().view()).view(), "0 input f32[2] 'x'\n1 exp f32[2] 0\n-> 1 0"));

// Several reduced axes count together: N * 4 elements.
constexpr sketch over_all() {
    sketch s({N, 4});
    const int x = s.input();
    s.at({1, 1});
    s.output(s.add(op::mean, f32, x, -1, -1, 3));
    return s;
}

} // namespace

TEST_CASE("each composite becomes its formula") {
    CHECK(listing(decomposed(op::mean, 4).view()) == mean_text);
    CHECK(listing(decomposed(op::mean, N).view()) == symbolic_mean_text);
    CHECK(listing(decomposed(op::var, 4, 1).view()) == var_text);
    CHECK(listing(decomposed(op::softmax, 4).view()) == softmax_text);
    CHECK(listing(decomposed(op::log_softmax, N).view()) == log_softmax_text);
    CHECK(listing(decomposed(op::logsumexp, 4).view()) == logsumexp_text);
    CHECK(leaves_no_composite());
}

TEST_CASE("a mean over several axes divides by their product") {
    const graph g = decompose(over_all().view());
    REQUIRE(g.nodes[2].code == op::extent);
    CHECK(g.dims[g.nodes[2].start] == 4 * N);
}
