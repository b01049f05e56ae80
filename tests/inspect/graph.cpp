// Tests of <toroid/inspect/graph.hpp>.

#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <toroid/expr/expr.hpp>
#include <toroid/inspect/graph.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

/// A raw string without its first line break.
std::string golden(const char* text) { return text + 1; }

template <class Model> std::string text_of() { return inspect::print_graph(trace_model<Model>().recorded().view()); }

struct scaled {
    BOOST_HANA_DEFINE_STRUCT(scaled, (tensor<f32, 64>, scale));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return named(relu(x * scale), "hidden") + 0.5; }
};

struct every_attribute {
    constexpr auto operator()(tensor<f32, 8, B, 16> x, tensor<f64, 8, B, 16> y) const {
        auto& t = x.trace();
        const auto numbers = to_dtype<f32>(t.arange<i64, 16>());
        const auto sliced = slice<2, 1, 16, 2>(permute<1, 0, 2>(x));
        // Braces record from left to right; the order in parentheses is the compiler's.
        return std::tuple{concat<0>(x, x), sum<0, 2>(x + numbers), argmax<1>(x), var<2>(y), softmax<1>(x), sliced};
    }
};

struct checked {
    constexpr auto operator()(tensor<i32, B> x) const {
        x.trace().check(B <= 1024);
        x.trace().expect_true(multiple_of(B + 2, 4));
        return x > 3;
    }
};

} // namespace

TEST_CASE("print_graph: parameters, inputs, broadcasts, constants, labels") {
    CHECK(text_of<scaled>() == golden(R"(
%0 = parameter(0): f32[64]  # scale
%1 = input(0): f32[B, 64]  # input0
%2 = expand(%0): f32[B, 64]
%3 = mul(%1, %2): f32[B, 64]
%4 = relu(%3): f32[B, 64]  # hidden
%5 = constant(0.5): f32[B, 64]
%6 = add(%4, %5): f32[B, 64]
return %6  # output
)"));
}

TEST_CASE("print_graph: axes, slices, corrections") {
    CHECK(text_of<every_attribute>() == golden(R"(
%0 = input(0): f32[8, B, 16]  # input0
%1 = input(1): f64[8, B, 16]  # input1
%2 = iota(axis=0): i64[16]
%3 = to_dtype(%2): f32[16]
%4 = permute(%0, axes=[1, 0, 2]): f32[B, 8, 16]
%5 = slice(%4, axis=2, start=1, step=2): f32[B, 8, 8]
%6 = concat(%0, %0, axis=0): f32[16, B, 16]
%7 = expand(%3): f32[8, B, 16]
%8 = add(%0, %7): f32[8, B, 16]
%9 = sum(%8, axes=[0, 2]): f32[1, B, 1]
%10 = reshape(%9): f32[B]
%11 = argmax(%0, axes=[1]): i64[8, 1, 16]
%12 = reshape(%11): i64[8, 16]
%13 = var(%1, axes=[2], correction=1): f64[8, B, 1]
%14 = reshape(%13): f64[8, B]
%15 = softmax(%0, axes=[1]): f32[8, B, 16]
return %6  # output0
return %10  # output1
return %12  # output2
return %14  # output3
return %15  # output4
return %5  # output5
)"));
}

TEST_CASE("print_graph: guards come first, assumed ones are marked") {
    CHECK(text_of<checked>() == golden(R"(
guard B <= 1024
guard (B + 2) % 4 == 0  # assumed
%0 = input(0): i32[B]  # input0
%1 = constant(3): i32[B]
%2 = gt(%0, %1): bool[B]
return %2  # output
)"));
}

TEST_CASE("node_text: an extent is a dim, an unlabelled output has no name") {
    graph g;
    node n;
    n.code = op::extent;
    n.type = i64;
    n.shape = g.intern(shape{});
    n.start = g.intern(2 * B);
    g.push(n);
    g.outputs.push({0, -1});
    CHECK(inspect::node_text(g.view(), 0) == "%0 = extent(2*B): i64[]");
    CHECK(inspect::print_graph(g.view()) == "%0 = extent(2*B): i64[]\nreturn %0\n");
}
