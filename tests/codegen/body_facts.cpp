// What a loop nest asks of a kernel body: where values run, in which pass, and what passes need if nothing is kept.

#include <doctest/doctest.h>

#include <toroid/codegen/body_facts.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

struct fixed_softmax {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return softmax(x); }
};
using body = kernel_body<program<fixed_softmax>, 0>;

constexpr int value_of(value_kind kind, op code = op::identity) {
    for (int v = 0; v < body::values.size; ++v)
        if (body::values[v].kind == kind && (kind == value_kind::load || body::values[v].code == code)) return v;
    return -1;
}
constexpr int load = value_of(value_kind::load);
constexpr int exponential = value_of(value_kind::compute, op::exp);
constexpr int largest = value_of(value_kind::reduce, op::reduce_max);
constexpr int total = value_of(value_kind::reduce, op::reduce_sum);
constexpr int inverse = value_of(value_kind::compute, op::reciprocal);
static_assert(load >= 0 && exponential >= 0 && largest >= 0 && total >= 0 && inverse >= 0);

//=== three passes: the maximum, the sum, the results ===//

static_assert(body::definition.stages == 3);
static_assert(reduces_in<body>(largest, 0) && reduces_in<body>(total, 1) && !reduces_in<body>(total, 0));
static_assert(pass_reduces<body>(0) && pass_reduces<body>(1) && !pass_reduces<body>(2));
static_assert(!pass_stores<body>(0) && !pass_stores<body>(1) && pass_stores<body>(2));
static_assert(per_element<body>(exponential) && !per_element<body>(inverse));

//=== the exponential is kept for the third pass; without that, the third pass needs all below it ===//

static_assert(body::values[exponential].stashed);
static_assert(active<body>(load, 0) && active<body>(load, 1) && !active<body>(load, 2));
constexpr passes_without_stash<body> alone;
static_assert(alone.masks[load] == 0b111 && alone.masks[exponential] == 0b110);

/// Where nothing is stashed, both agree.
struct unknown_length {
    constexpr auto operator()(tensor<f32, B, S> x) const { return softmax(x); }
};
template <class Body> constexpr bool agrees_without_stash() {
    const passes_without_stash<Body> masks;
    for (int v = 0; v < Body::values.size; ++v)
        if (Body::values[v].stashed || masks.masks[v] != Body::values[v].passes) return false;
    return true;
}
static_assert(agrees_without_stash<kernel_body<program<unknown_length>, 0>>());
static_assert(agrees_without_stash<kernel_body<program<layer_norm_rows>, 0>>());
static_assert(agrees_without_stash<kernel_body<program<residual_chain>, 0>>());

TEST_CASE("passes without stash") { CHECK(alone.masks[load] == 0b111); }

} // namespace
} // namespace toroid::tests
