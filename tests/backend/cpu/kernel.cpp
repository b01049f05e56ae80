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

/// g++ compiles the same sequence of roundings for every instruction set; clang may contract inside a formula.
bool same_result(const growable<reference_tensor>& a, const growable<reference_tensor>& b) {
#if defined(__clang__)
    constexpr double relative = 1e-6;
#else
    constexpr double relative = 0;
#endif
    for (int i = 0; i < a.size(); ++i)
        if (!almost_equal(a[i], b[i], relative)) return false;
    return a.size() == b.size();
}

/// Runs a model on every instruction set with one and with two threads; all agree with each other and the interpreter.
template <class Model, dtype... T> bool agrees_everywhere(double relative, const array<T>&... inputs) {
    static thread_pool one(1);
    static thread_pool two(2);
    const weights<Model> w = random_weights<Model>();
    const auto wanted = evaluate<Model>(references(make_reference(inputs)...), references_of(w));
    growable<reference_tensor> first;
    for (const isa level : available())
        for (thread_pool* const pool : {&one, &two}) {
            cpu::executor<Model> run(w, {.pool = pool, .instruction_set = level});
            if (run.instruction_set() != level) return false;
            const auto got = results_as_references(run(inputs.view()...));
            if (first.empty()) first = got;
            if (!same_result(got, first)) return false;
            for (int i = 0; i < got.size(); ++i)
                if (!almost_equal(got[i], wanted[i], relative)) return false;
        }
    return true;
}

TEST_CASE("an instruction set above the machine's is lowered to the machine's") {
    const cpu::executor<softmax_rows> run({}, {.instruction_set = isa::avx512});
    CHECK(run.instruction_set() == detected_isa());
}

//=== loop nests ===//

struct every_nest {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        return std::tuple(x * tanh(x), sum<1>(x), sum<0>(x), max<1>(x), softmax<1>(x), softmax<0>(x), argmin<0>(x), argmax<1>(x));
    }
};
TEST_CASE("rows and columns of every length around the vector widths") {
    // The interpreter visits single elements; few rows suffice.
    for (const std::int64_t n : {1, 2, 7, 8, 15, 17, 63, 64, 65, 127, 130}) {
        CAPTURE(n);
        CHECK(agrees_everywhere<every_nest>(1e-5, numbers<f32>({3, n}, static_cast<unsigned>(n))));
        CHECK(agrees_everywhere<every_nest>(1e-5, numbers<f32>({n, 3}, static_cast<unsigned>(n))));
    }
}

TEST_CASE("launches that are cut into chunks for threads") {
    // 600 * 130 points: more than two chunks of pointwise and of row work.
    // Positive numbers: sums of 600 that cancel would have no small relative error.
    CHECK(agrees_everywhere<every_nest>(1e-5, numbers<f32>({600, 130}, 1, 0.5, 2)));
    CHECK(agrees_everywhere<every_nest>(1e-5, numbers<f32>({2, 40000}, 1, 0.5, 2)));
}

TEST_CASE("models") {
    CHECK(agrees_everywhere<layer_norm_rows>(1e-5, numbers<f32>({5, 64})));
    CHECK(agrees_everywhere<softmax_middle>(1e-5, numbers<f32>({3, 70, 5})));
    CHECK(agrees_everywhere<transpose_add>(1e-6, numbers<f32>({64, 9}), numbers<f32>({9, 64}, 2)));
    CHECK(agrees_everywhere<concat_two>(1e-5, numbers<f32>({5, 16}), numbers<f32>({5, 8}, 2)));
    CHECK(agrees_everywhere<sum_two_axes>(1e-5, numbers<f32>({8, 5, 16})));
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

//=== in place ===//

struct ten_in_place {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> s) const {
        std::array<tensor<f32, 8, 8>, 10> y;
        for (int i = 0; i < 10; ++i) y[static_cast<std::size_t>(i)] = matmul(x + 0.1 * (i + 1), s);
        for (auto& element : y) element = element * s;
        auto total = matmul(y[9], s);
        for (int i = 8; i >= 0; --i) total = matmul(total, y[static_cast<std::size_t>(i)]);
        return total;
    }
};
struct rows_in_place {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, 16, 16> w) const {
        return matmul(layer_norm(matmul(softmax(matmul(x, w)), w)), w);
    }
};
TEST_CASE("kernels that write over their operands") {
    CHECK(agrees_with_interpreter<ten_in_place>(1e-4, numbers<f32>({8, 8}, 1, -1, 1), numbers<f32>({8, 8}, 2, -1, 1)));
    CHECK(agrees_with_interpreter<rows_in_place>(1e-5, numbers<f32>({300, 16}), numbers<f32>({16, 16}, 2)));
}

} // namespace
} // namespace toroid::tests
