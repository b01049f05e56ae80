// Fusion as a contract: an attention block whose plan is stated, checked by the compiler, and printed.

#include <cstdio>

#include <toroid/inspect.hpp>
#include <toroid/toroid.hpp>

namespace {

using namespace toroid;

constexpr auto B = symbol('B');

/// Four heads over sixteen positions.
struct attention {
    using operand = tensor<f32, B, 4, 16, 32>;

    constexpr auto operator()(operand query, operand key, operand value) const {
        const auto products = named(matmul(query, transpose(key)), "products");
        const auto scores = named(products * 0.17677669f, "scores");
        const auto weights = named(softmax(scores), "weights");
        return named(matmul(weights, value), "mixed");
    }
};

using net = program<attention>;

// What is launched: two matrix products and one kernel between them.
static_assert(expect_kernel_count<net, 1>);
static_assert(net::extern_count() == 2);

// What is fused: scaling and softmax share that kernel.
static_assert(net::kernel_of("scores") == net::kernel_of("weights"));
static_assert(net::why_not_fused("scores", "weights") == fusion_reason::fused);

// What is not, and why: a matrix product runs as an extern kernel.
static_assert(net::why_not_fused("products", "scores") == fusion_reason::extern_kernel);

// What it costs: the scores are the only intermediate, softmax works in place.
constexpr symbol_values eight = {{'B', 8}};
static_assert(net::arena_bytes(eight) == 8 * 4 * 16 * 16 * 4);

// The same model with every operation apart, for comparison: a target is a struct of facts.
using unfused = program<attention, targets::with_fusion_level<targets::cpu, 0>>;
static_assert(unfused::kernel_count() > net::kernel_count());
static_assert(unfused::kernel_of("scores") != unfused::kernel_of("weights"));

} // namespace

int main() {
    std::printf("%s\n", inspect::explain<net>().c_str());
    std::printf("for B = 8, fused:\n%s\n", inspect::report<net>(eight).c_str());
    std::printf("for B = 8, fusion level 0:\n%s", inspect::report<unfused>(eight).c_str());
}
