// Models: members, parameter names, inputs, outputs, and ordinary C++ in operator().

#include <toroid/expr/expr.hpp>

#include <array>
#include <tuple>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');

//=== nested structs, arrays, tuples, numbers: names are paths, parameters come in declaration order ===//

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (tensor<f32, 4, 4>, weight), (tensor<f32, 4>, bias));
    constexpr auto operator()(expression auto x) const { return matmul(x, weight) + bias; }
};
struct block {
    BOOST_HANA_DEFINE_STRUCT(block, (layer, up), (float, scale), (layer, down));
};
struct network {
    BOOST_HANA_DEFINE_STRUCT(network, (std::array<block, 12>, blocks), (std::tuple<tensor<f32, 4>, layer>, pair),
                             (int, depth), (tensor<i32>, step));
    constexpr auto operator()(tensor<f32, N, 4> x) const { return x; }
};

template <class Model> constexpr bool has_parameter(int number, std::string_view name) {
    const trace t = trace_model<Model>();
    const graph_view g = t.recorded().view();
    return number < g.parameter_count && g.nodes[number].code == op::parameter && g.nodes[number].payload == number &&
           g.label_of(number) == name;
}
static_assert(has_parameter<network>(0, "blocks.0.up.weight") && has_parameter<network>(1, "blocks.0.up.bias") &&
              has_parameter<network>(2, "blocks.0.down.weight"));
static_assert(has_parameter<network>(3 * 4, "blocks.3.up.weight") && has_parameter<network>(47, "blocks.11.down.bias"));
static_assert(has_parameter<network>(48, "pair.0") && has_parameter<network>(49, "pair.1.weight") &&
              has_parameter<network>(51, "step"));

constexpr bool counts_parameters() {
    const trace t = trace_model<network>();
    const graph_view g = t.recorded().view();
    return g.parameter_count == 52 && g.input_count == 1 && g.size == 53 && g.outputs[0].node == 52 &&
           g.nodes[51].type == i32 && g.rank_of(51) == 0;
}
static_assert(counts_parameters());

// for_each_tensor also visits models that are not traced.
constexpr int count_tensors() {
    int count = 0;
    network n{};
    for_each_tensor(n, [&](const detail::path&, auto&) { ++count; });
    return count;
}
static_assert(count_tensors() == 52);

//=== a loop over equal layers: the type of h does not change, so plain C++ builds the graph ===//

struct deep {
    BOOST_HANA_DEFINE_STRUCT(deep, (std::array<layer, 3>, layers));
    constexpr auto operator()(tensor<f32, N, 4> x) const {
        tensor<f32, N, 4> h = x;
        for (int i = 0; const layer& l : layers) {
            if (i++ != 1) h = relu(l(h));
        }
        return h;
    }
};
static_assert(records<deep>("0 parameter f32[4,4] 'layers.0.weight'\n"
                            "1 parameter f32[4] 'layers.0.bias'\n"
                            "2 parameter f32[4,4] 'layers.1.weight'\n"
                            "3 parameter f32[4] 'layers.1.bias'\n"
                            "4 parameter f32[4,4] 'layers.2.weight'\n"
                            "5 parameter f32[4] 'layers.2.bias'\n"
                            "6 input f32[N,4] 'input0'\n"
                            "7 matmul f32[N,4] 6 0\n"
                            "8 expand f32[N,4] 1\n"
                            "9 add f32[N,4] 7 8\n"
                            "10 relu f32[N,4] 9\n"
                            "11 matmul f32[N,4] 10 4\n"
                            "12 expand f32[N,4] 5\n"
                            "13 add f32[N,4] 11 12\n"
                            "14 relu f32[N,4] 13\n"
                            "-> 14"));

//=== outputs: one, a tuple, an array, a struct with names ===//

template <class Model> constexpr bool has_output(int number, std::string_view name) {
    const trace t = trace_model<Model>();
    const graph_view g = t.recorded().view();
    return number < g.output_count && std::string_view(g.labels[g.outputs[number].label].text) == name;
}

struct one {
    constexpr auto operator()(tensor<f32, 2> x) const { return -x; }
};
static_assert(has_output<one>(0, "output") && !has_output<one>(1, ""));

struct several {
    constexpr auto operator()(tensor<f32, 2> x, tensor<i64> n) const { return std::tuple{-x, n, x}; }
};
static_assert(has_output<several>(0, "output0") && has_output<several>(1, "output1") &&
              has_output<several>(2, "output2") && !has_output<several>(3, ""));
static_assert(records<several>("0 input f32[2] 'input0'\n"
                               "1 input i64[] 'input1'\n"
                               "2 neg f32[2] 0\n"
                               "-> 2 1 0"));

struct equal_parts {
    constexpr auto operator()(tensor<f32, 4> x) const { return chunk<0, 2>(x); }
};
static_assert(has_output<equal_parts>(1, "output1"));

struct scores_and_loss {
    BOOST_HANA_DEFINE_STRUCT(scores_and_loss, (tensor<f32, N>, scores), (tensor<f32>, loss));
};
struct named_outputs {
    constexpr scores_and_loss operator()(tensor<f32, N> x) const {
        scores_and_loss result;
        result.scores = exp(x);
        result.loss = sum(x);
        return result;
    }
};
static_assert(has_output<named_outputs>(0, "scores") && has_output<named_outputs>(1, "loss"));

//=== signatures ===//

struct with_trace {
    BOOST_HANA_DEFINE_STRUCT(with_trace, (double, scale), (std::array<int, 0>, nothing));
    constexpr auto operator()(trace& t, const tensor<f32, N>& x, tensor<i32>) const noexcept {
        t.check(N <= 64);
        return x * t.full<f32>(2.0);
    }
};
static_assert(std::is_same_v<signature<with_trace>::inputs, type_list<tensor<f32, N>, tensor<i32>>> &&
              signature<with_trace>::leading_trace);
static_assert(std::is_same_v<signature<with_trace>::result, tensor<f32, N>> && signature<one>::inputs::size == 1 &&
              !signature<one>::leading_trace);
static_assert(records<with_trace>("0 input f32[N] 'input0'\n"
                                  "1 input i32[] 'input1'\n"
                                  "2 constant f32[] #2\n"
                                  "3 expand f32[N] 2\n"
                                  "4 mul f32[N] 0 3\n"
                                  "-> 4"));

static_assert(reflected<layer> && !reflected<one> && !reflected<int>);
static_assert(model_member<tensor<f32, 2>>::value && model_member<double>::value && model_member<one>::value &&
              model_member<std::array<layer, 2>>::value);

// A label of the user takes the place of the input's name.
struct relabelled {
    constexpr auto operator()(tensor<f32, 2> x) const { return named(named(x, "pixels") + 1, "brighter"); }
};
static_assert(records<relabelled>("0 input f32[2] 'pixels'\n"
                                  "1 constant f32[2] #1\n"
                                  "2 add f32[2] 0 1 'brighter'\n"
                                  "-> 2"));

// The same member used twice is the same parameter.
struct shared {
    BOOST_HANA_DEFINE_STRUCT(shared, (tensor<f32, 2>, w));
    constexpr auto operator()(tensor<f32, 2> x) const { return x * w + w; }
};
static_assert(records<shared>("0 parameter f32[2] 'w'\n"
                              "1 input f32[2] 'input0'\n"
                              "2 mul f32[2] 1 0\n"
                              "3 add f32[2] 2 0\n"
                              "-> 3"));

struct outside {
    constexpr auto operator()(tensor<f32, 2>) const { return tensor<f32, 2>{}; }
};

} // namespace

TEST_CASE("models trace the same at run time") {
    CHECK(counts_parameters());
    CHECK(count_tensors() == 52);
    CHECK(recording<relabelled>() ==
          "0 input f32[2] 'pixels'\n1 constant f32[2] #1\n2 add f32[2] 0 1 'brighter'\n-> 2");
    CHECK_THROWS_AS(trace_model<outside>(), std::logic_error);
    CHECK(trace_model<outside>(true).fault().kind == trace_fault_kind::output_not_produced);
    CHECK(trace_model<outside>(true).recorded().nodes.size() == 0);
}

TEST_CASE("checks of a model are guards of its graph") {
    const trace t = trace_model<with_trace>();
    REQUIRE(t.recorded().guards.size() == 1);
    CHECK(t.recorded().guards[0] == guard{guard_kind::less_or_equal, false, N, 64});
}
