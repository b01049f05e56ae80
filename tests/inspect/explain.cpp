// Tests of <toroid/inspect/explain.hpp>.

#include <doctest/doctest.h>

#include <string>

#include <toroid/inspect/explain.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

/// A raw string without its first line break.
std::string golden(const char* text) { return text + 1; }

struct perceptron {
    BOOST_HANA_DEFINE_STRUCT(perceptron, (nn::linear<64, 32>, fc1), (nn::linear<32, 32>, fc2),
                             (nn::linear<32, 32>, fc3));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return relu(fc3(relu(fc2(relu(fc1(x)))))); }
};
using net = program<perceptron>;

} // namespace

TEST_CASE("explain: counts, arena, launches, reasons") {
    CHECK(inspect::explain<net>() == golden(R"(
launches: 6 = 3 of kernels (1 distinct body) + 3 extern
arena: 128*B + 128*B bytes in 2 slots
launch 0: matmul(%6 (input0), %0 (fc1.weight) -> %8)
    %7 = permute(%0, axes=[1, 0]): f32[64, 32]
    %8 = matmul(%6, %7): f32[B, 32]
launch 1: fused_add_relu_0(%8, %1 (fc1.bias) -> %11)
    %9 = expand(%1): f32[B, 32]
    %10 = add(%8, %9): f32[B, 32]
    %11 = relu(%10): f32[B, 32]
launch 2: matmul(%11, %2 (fc2.weight) -> %13)
    %12 = permute(%2, axes=[1, 0]): f32[32, 32]
    %13 = matmul(%11, %12): f32[B, 32]
launch 3: fused_add_relu_0(%13, %3 (fc2.bias) -> %16)
    %14 = expand(%3): f32[B, 32]
    %15 = add(%13, %14): f32[B, 32]
    %16 = relu(%15): f32[B, 32]
launch 4: matmul(%16, %4 (fc3.weight) -> %18)
    %17 = permute(%4, axes=[1, 0]): f32[32, 32]
    %18 = matmul(%16, %17): f32[B, 32]
launch 5: fused_add_relu_0(%18, %5 (fc3.bias) -> %21)
    %19 = expand(%5): f32[B, 32]
    %20 = add(%18, %19): f32[B, 32]
    %21 = relu(%20): f32[B, 32]
not fused: matmul %18 and add %20: a matmul runs as an extern kernel
not fused: relu %16 and matmul %18: a matmul runs as an extern kernel
not fused: matmul %13 and add %15: a matmul runs as an extern kernel
not fused: relu %11 and matmul %13: a matmul runs as an extern kernel
not fused: matmul %8 and add %10: a matmul runs as an extern kernel
)"));
}

TEST_CASE("explain: the counts are those of the contracts") {
    const std::string text = inspect::explain<net>();
    CHECK(text.find(fmt::format("launches: {} = {} of kernels ({} ", net::launch_count(), net::kernel_count(),
                                net::definition_count())) == 0);
}
