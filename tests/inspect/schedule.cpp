// Tests of <toroid/inspect/schedule.hpp>.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <toroid/inspect/schedule.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

/// A raw string without its first line break.
std::string golden(const char* text) { return text + 1; }

template <class Program> std::string text_of() {
    return inspect::print_schedule(Program::graph.view(), Program::schedule.view());
}

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (nn::linear<64, 32>, fc));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return named(relu(fc(x)), "hidden"); }
};

/// The matmul between relu and mul keeps them apart.
struct residual {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 16> w) const {
        const auto h = relu(x);
        return matmul(h, w) * h;
    }
};

struct concatenated {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, B, 8> y) const {
        const auto left = relu(x);
        return concat<1>(left, tanh(y));
    }
};

/// Nothing is read.
struct counted {
    constexpr auto operator()(tensor<f32, 8> x) const { return x.trace().arange<i64, 8>() * x.trace().full<i64, 8>(2); }
};

using apart = program<residual, targets::with_fusion_level<targets::cpu, 0>>;

} // namespace

TEST_CASE("print_schedule: launches with what they evaluate, then reasons") {
    CHECK(text_of<program<layer>>() == golden(R"(
launch 0: matmul(%2 (input0), %0 (fc.weight) -> %4)
    %3 = permute(%0, axes=[1, 0]): f32[64, 32]
    %4 = matmul(%2, %3): f32[B, 32]
launch 1: fused_add_relu_0(%4, %1 (fc.bias) -> %7 (hidden))
    %5 = expand(%1): f32[B, 32]
    %6 = add(%4, %5): f32[B, 32]
    %7 = relu(%6): f32[B, 32]  # hidden
not fused: matmul %4 and add %6: a matmul runs as an extern kernel
)"));
}

TEST_CASE("print_schedule: a pair that would make a cycle says so") {
    CHECK(text_of<program<residual>>() == golden(R"(
launch 0: fused_relu_0(%0 (input0) -> %2)
    %2 = relu(%0): f32[16, 16]
launch 1: matmul(%2, %1 (input1) -> %3)
    %3 = matmul(%2, %1): f32[16, 16]
launch 2: fused_mul_1(%3, %2 -> %4)
    %4 = mul(%3, %2): f32[16, 16]
not fused: matmul %3 and mul %4: a matmul runs as an extern kernel
not fused: relu %2 and mul %4: a kernel between them depends on one and feeds the other
not fused: relu %2 and matmul %3: a matmul runs as an extern kernel
)"));
}

TEST_CASE("print_schedule: a concat appears in the kernels that write its parts") {
    CHECK(text_of<program<concatenated>>() == golden(R"(
launch 0: fused_relu_0(%0 (input0) -> %4)
    %2 = relu(%0): f32[B, 16]
    %4 = concat(%2, %3, axis=1): f32[B, 24]
launch 1: fused_tanh_1(%1 (input1) -> %4)
    %3 = tanh(%1): f32[B, 8]
    %4 = concat(%2, %3, axis=1): f32[B, 24]
not fused: relu %2 and concat %4: a concat is written by the kernels of its parts
not fused: tanh %3 and concat %4: a concat is written by the kernels of its parts
)"));
}

TEST_CASE("print_schedule: a kernel without loads") {
    CHECK(text_of<program<counted>>() == golden(R"(
launch 0: fused_mul_0(-> %3)
    %1 = iota(axis=0): i64[8]
    %2 = constant(2): i64[8]
    %3 = mul(%1, %2): i64[8]
)"));
}

TEST_CASE("print_unfused: every recorded pair has a sentence with its reason") {
    const std::string text = inspect::print_unfused(apart::graph.view(), apart::schedule.view());
    for (int i = 0; i < apart::schedule.sizes.unfused; ++i)
        CHECK(text.find(describe(apart::schedule.unfused[i].reason)) != std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') == apart::schedule.sizes.unfused);
    CHECK(apart::schedule.sizes.unfused == 3);
}
