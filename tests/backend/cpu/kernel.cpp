// Kernels on every instruction set and thread count of this machine: one result, and the interpreter's.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/kernel.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

std::vector<isa> available() {
    std::vector<isa> levels;
    for (int i = 0; i <= static_cast<int>(detected_isa()); ++i) levels.push_back(static_cast<isa>(i));
    return levels;
}

bool almost_equal_results(const growable<reference_tensor>& a, const growable<reference_tensor>& b, double relative) {
    for (int i = 0; i < a.size(); ++i)
        if (!almost_equal(a[i], b[i], relative)) return false;
    return a.size() == b.size();
}

/// Last bits may depend on the instruction set inside the formulas of exp, tanh and the like, and nowhere else.
enum class content { arithmetic, formulas };

/// Runs a model on every instruction set with one and with two threads. Thread counts give the same bits, instruction sets
/// too but for formulas, and all agree with the interpreter.
template <class Model, content Content = content::formulas, dtype... T>
bool agrees_everywhere(double relative, const array<T>&... inputs) {
    static thread_pool one(1);
    static thread_pool two(2);
    const weights<Model> w = random_weights<Model>();
    const auto wanted = evaluate<Model>(references(make_reference(inputs)...), references_of(w));
    growable<reference_tensor> baseline;
    for (const isa level : available()) {
        cpu::executor<Model> run(w, {.pool = &one, .instruction_set = level});
        cpu::executor<Model> run_threads(w, {.pool = &two, .instruction_set = level});
        if (run.instruction_set() != level) return false;
        const auto got = results_as_references(run(inputs.view()...));
        if (level == isa::baseline) baseline = got;
        if (!almost_equal_results(results_as_references(run_threads(inputs.view()...)), got, 0) ||
            !almost_equal_results(got, baseline, Content == content::arithmetic ? 0 : 1e-6) ||
            !almost_equal_results(got, wanted, relative))
            return false;
    }
    return true;
}

TEST_CASE("an instruction set above the machine's is lowered to the machine's") {
    const cpu::executor<softmax_rows> run({}, {.instruction_set = isa::avx512});
    CHECK(run.instruction_set() == detected_isa());
}

//=== loop nests ===//

struct arithmetic_nests {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        return std::tuple(x * x + x / 3, sum<1>(x * x), sum<0>(x), var<1>(x, correction<0>), argmin<0>(x),
                          argmax<1>(x));
    }
};
struct formula_nests {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        return std::tuple(x * tanh(x), softmax<1>(x), softmax<0>(x));
    }
};
bool every_nest_agrees(const array<f32>& x) {
    return agrees_everywhere<arithmetic_nests, content::arithmetic>(1e-5, x) &&
           agrees_everywhere<formula_nests>(1e-5, x);
}
TEST_CASE("rows and columns of every length around the vector widths") {
    // The interpreter visits single elements; few rows suffice.
    for (const std::int64_t n : {1, 2, 7, 8, 15, 17, 63, 64, 65, 127, 130}) {
        CAPTURE(n);
        CHECK(every_nest_agrees(numbers<f32>({3, n}, static_cast<unsigned>(n))));
        CHECK(every_nest_agrees(numbers<f32>({n, 3}, static_cast<unsigned>(n))));
    }
}

TEST_CASE("launches that are cut into chunks for threads") {
    // 600 * 130 points: more than two chunks of pointwise and of row work.
    // Positive numbers: sums of 600 that cancel would have no small relative error.
    CHECK(every_nest_agrees(numbers<f32>({600, 130}, 1, 0.5, 2)));
    CHECK(every_nest_agrees(numbers<f32>({2, 40000}, 1, 0.5, 2)));
}

//=== no contraction ===//

struct products_and_sums {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32, B> y, tensor<f32, B> z) const {
        return std::tuple(x * y + z, z + x * y, x * y - z, z - x * y, fma(x, y, z));
    }
};
struct sum_of_products {
    constexpr auto operator()(tensor<f32, B, 128> x, tensor<f32, B, 128> y) const { return sum<-1>(x * y); }
};
TEST_CASE("a product and a sum are two roundings, fma is one") {
    // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24; the last bit is lost when the product is rounded.
    const float a = 1 + std::ldexp(1.0F, -12);
    const float rounded = 1 + std::ldexp(1.0F, -11);
    const float lost = std::ldexp(1.0F, -24);
    constexpr std::int64_t count = 70;
    array<f32> x({count});
    array<f32> z({count});
    array<f32> negative({count});
    x.fill(a);
    z.fill(rounded);
    negative.fill(-rounded);
    array<f32> rows({2, 128});
    array<f32> others({2, 128});
    for (int r = 0; r < 2; ++r) {
        rows(r, 0) = 1;
        others(r, 0) = -rounded;
        rows(r, 64) = others(r, 64) = a; // in the same lane as element 0
    }
    for (const isa level : available()) {
        CAPTURE(name_of(level));
        cpu::executor<products_and_sums> run({}, {.instruction_set = level});
        const auto plus = run(x, x, negative);
        const auto minus = run(x, x, z);
        for (const std::int64_t i : {std::int64_t{0}, count - 1}) {
            CHECK(std::get<0>(plus)(i) == 0);
            CHECK(std::get<1>(plus)(i) == 0);
            CHECK(std::get<2>(minus)(i) == 0);
            CHECK(std::get<3>(minus)(i) == 0);
            CHECK(std::get<4>(plus)(i) == lost);
        }
        cpu::executor<sum_of_products> total({}, {.instruction_set = level});
        CHECK(same_bits(total(rows, others), array<f32>({2}, {0, 0})));
    }
}

//=== half precision ===//

template <dtype T> struct half_chain {
    constexpr auto operator()(tensor<T, B> x) const {
        const auto long_chain = (x * 3 + 1) / 7 - x;
        return std::tuple(long_chain, to_dtype<f32>(to_dtype<T>(to_dtype<f32>(x) * 3)) / 7);
    }
};
template <dtype T> void check_half_chain() {
    const array<T> x = numbers<T>({97}, 3);
    for (const isa level : available()) {
        CAPTURE(name_of(level));
        cpu::executor<half_chain<T>> run({}, {.instruction_set = level});
        const auto [chain, cast] = run(x);
        for (std::int64_t i = 0; i < x.size(); ++i) {
            const auto f = static_cast<float>(x(i));
            CHECK(static_cast<float>(chain(i)) == static_cast<float>(static_cast<storage_t<T>>((f * 3 + 1) / 7 - f)));
            CHECK(cast(i) == static_cast<float>(static_cast<storage_t<T>>(f * 3)) / 7);
        }
    }
}
TEST_CASE("a chain in half precision is carried in f32 and rounded once; an explicit cast rounds") {
    check_half_chain<f16>();
    check_half_chain<bf16>();
}

} // namespace
} // namespace toroid::tests
