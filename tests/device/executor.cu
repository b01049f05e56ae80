// The executor of the GPU as its user sees it: results, sharing, and shapes at the edges.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

/// In and out are equal: only the values tell the weight from its transpose.
struct square_layer : nn::linear<64, 64> {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return nn::linear<64, 64>::operator()(x); }
};
TEST_CASE("a square linear layer reads its weight as [out, in]") {
    const safetensors_file golden(std::string(TOROID_SOURCE_DIR) + "/tests/golden/linear_64x64.safetensors");
    weights<square_layer> w;
    for (const char* name : {"weight", "bias"}) {
        const array<f32> values = golden.read<f32>(name);
        std::copy(values.span().begin(), values.span().end(), w.view<f32>(name).data());
    }
    host_executor<square_layer> run(w);
    CHECK(almost_equal(make_reference(run(golden.read<f32>("x"))), make_reference(golden.read<f32>("y")), 1e-5));
}

//=== what a model may return ===//

struct whole_sum {
    constexpr auto operator()(tensor<f32, B, 8> x) const { return sum(x); }
};
TEST_CASE("a result of rank 0 has one element") {
    host_executor<whole_sum> run;
    const array<f32> y = run(array<f32>({2, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1, 1, 1, 1, 1}));
    CHECK(y.rank() == 0);
    CHECK(y.size() == 1);
    CHECK(y.at({}) == 44);
    CHECK(run(array<f32>({0, 8})).at({}) == 0);
}

struct scaled_by_scalar {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32> factor) const { return x * factor; }
};
TEST_CASE("an input of rank 0") {
    host_executor<scaled_by_scalar> run;
    const array<f32> y = run(array<f32>({3}, {1, 2, 3}), array<f32>({}, {10}));
    CHECK(same_bits(y, array<f32>({3}, {10, 20, 30})));
}
struct scalar_only {
    constexpr auto operator()(tensor<f32> x, tensor<i32> n) const { return std::tuple(exp(x), n + 1, x * n); }
};
TEST_CASE("a model of rank 0") {
    host_executor<scalar_only> run;
    const auto [e, next, product] = run(array<f32>({}, {0}), array<i32>({}, {41}));
    CHECK(e.at({}) == 1);
    CHECK(next.at({}) == 42);
    CHECK(product.at({}) == 0);
}

/// Outputs that nobody computes: an input, views of it, a parameter, a constant, the same value twice.
struct bystanders {
    BOOST_HANA_DEFINE_STRUCT(bystanders, (tensor<f32, 3>, bias), (tensor<f32, 5>, unused));
    constexpr auto operator()(tensor<f32, 2, 3> x, tensor<f32, 7>) const {
        const auto y = x + bias;
        return std::tuple(x, transpose(x), slice<1, 1>(x), flip<0>(x), flatten(x), bias, full_like(x, 4), y, y,
                          transpose(y));
    }
};
TEST_CASE("outputs that are inputs, views, parameters, constants, or one value twice") {
    weights<bystanders> w;
    std::copy_n(array<f32>({3}, {10, 20, 30}).data(), 3, w.view<f32>("bias").data());
    host_executor<bystanders> run(w);
    const auto [x, across, part, reversed, flat, bias, constant, sum, again, sum_across] =
        run(array<f32>({2, 3}, {1, 2, 3, 4, 5, 6}), array<f32>({7}));
    CHECK(same_bits(x, array<f32>({2, 3}, {1, 2, 3, 4, 5, 6})));
    CHECK(same_bits(across, array<f32>({3, 2}, {1, 4, 2, 5, 3, 6})));
    CHECK(same_bits(part, array<f32>({2, 2}, {2, 3, 5, 6})));
    CHECK(same_bits(reversed, array<f32>({2, 3}, {4, 5, 6, 1, 2, 3})));
    CHECK(same_bits(flat, array<f32>({6}, {1, 2, 3, 4, 5, 6})));
    CHECK(same_bits(bias, array<f32>({3}, {10, 20, 30})));
    CHECK(same_bits(constant, array<f32>({2, 3}, {4, 4, 4, 4, 4, 4})));
    CHECK(same_bits(sum, array<f32>({2, 3}, {11, 22, 33, 14, 25, 36})));
    CHECK(same_bits(again, sum));
    CHECK(same_bits(sum_across, array<f32>({3, 2}, {11, 14, 22, 25, 33, 36})));
}
TEST_CASE("outputs of one value have memory of their own") {
    cuda::executor<bystanders> run;
    const auto x = cuda::copy_to_device(array<f32>({2, 3}).view());
    const auto other = cuda::copy_to_device(array<f32>({7}).view());
    const auto results = run(x.view(), other.view());
    run.synchronize();
    CHECK(std::get<7>(results).data() != std::get<8>(results).data());
    CHECK(std::get<0>(results).data() != x.data());
}

struct shared_subexpression {
    constexpr auto operator()(tensor<f32, B> x) const {
        const auto once = exp(x);
        return std::tuple(once + 1, once * once, exp(x) - once);
    }
};
TEST_CASE("a subexpression that several results share") {
    CHECK(agrees_on_device<shared_subexpression>(1e-6, numbers<f32>({33})));
    CHECK(program<shared_subexpression, targets::sm_90>::kernel_count() == 1);
}

TEST_CASE("results of a struct have its members' names") {
    const array<f32> x = numbers<f32>({3, 64}, 1, 1, 2);
    host_executor<multi_output> run;
    const auto y = run(x);
    CHECK(y.get<"total">().extents() == extent_list({3}));
    CHECK(y.get<"scaled">().extents() == extent_list({3, 64}));
    double largest = 0;
    for (int i = 0; i < 64; ++i) largest = std::max<double>(largest, x(2, i));
    CHECK(y.get<"largest">()(2) == largest);
    const auto on_device = run.device()(cuda::copy_to_device(x.view()).view());
    CHECK(same_bits(cuda::copy_to_host(on_device.get<"largest">().view()), y.get<"largest">()));
}

//=== extents at the edges ===//

TEST_CASE("an empty batch gives an empty result") {
    host_executor<classifier> run(random_weights<classifier>());
    CHECK(run(array<f32>({0, 64})).extents() == extent_list({0, 10}));
    CHECK(run(numbers<f32>({1, 64})).extents() == extent_list({1, 10}));
}

struct reduces_nothing {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        return std::tuple(sum<-1>(x), prod<-1>(x), any<-1>(x), all<-1>(x), mean<-1>(x), sum(x));
    }
};
TEST_CASE("reductions over nothing are their identities") {
    host_executor<reduces_nothing> run;
    const auto [total, product, some, every, average, whole] = run(array<f32>({3, 0}));
    CHECK(same_bits(total, array<f32>({3}, {0, 0, 0})));
    CHECK(same_bits(product, array<f32>({3}, {1, 1, 1})));
    CHECK(same_bits(some, array<boolean>({3}, {false, false, false})));
    CHECK(same_bits(every, array<boolean>({3}, {true, true, true})));
    for (int i = 0; i < 3; ++i) CHECK(std::isnan(average(i)));
    CHECK(whole.at({}) == 0);
    CHECK(std::get<0>(run(array<f32>({0, 5}))).size() == 0);
}

struct odd_extent {
    constexpr auto operator()(tensor<f32, 2 * B + 1> x) const { return x * 2; }
};
TEST_CASE("a symbol is solved from the extent 2*B + 1") {
    host_executor<odd_extent> run;
    CHECK(run(array<f32>({7})).extents() == extent_list({7}));
    CHECK(run(array<f32>({1})).extents() == extent_list({1}));
}

struct sum_of_halves {
    constexpr auto operator()(tensor<f32, 2 * B> x, tensor<f32, B> y) const {
        return slice<0, 0, B>(x) + slice<0, B>(x) + y;
    }
};
TEST_CASE("several inputs share a symbol, and slices end at one") {
    host_executor<sum_of_halves> run;
    CHECK(same_bits(run(array<f32>({4}, {1, 2, 3, 4}), array<f32>({2}, {10, 20})), array<f32>({2}, {14, 26})));
}

struct grid_edges {
    constexpr auto operator()(tensor<f32, B, 2> x, tensor<f32, B, 1, S> y) const {
        return std::tuple(sum<-1>(x), max<0>(x), y * 2 + 1);
    }
};
TEST_CASE("more rows than a grid has blocks in y (long)") {
    const std::int64_t rows = 70001;
    const array<f32> x = numbers<f32>({rows, 2});
    const array<f32> y = numbers<f32>({rows, 1, 1}, 2);
    host_executor<grid_edges> run;
    const auto [sums, largest, affine] = run(x, y);
    bool right = true;
    float top[] = {-10, -10};
    for (std::int64_t r = 0; r < rows; ++r) {
        right = right && sums(r) == x(r, 0) + x(r, 1) && affine(r, 0, 0) == y(r, 0, 0) * 2 + 1;
        for (int c = 0; c < 2; ++c) top[c] = std::max(top[c], x(r, c));
    }
    CHECK(right);
    CHECK(largest(0) == top[0]);
    CHECK(largest(1) == top[1]);
}

//=== one executor after another extent ===//

TEST_CASE("one executor runs any batch, larger or smaller than before") {
    host_executor<classifier> run(random_weights<classifier>());
    const array<f32> x = numbers<f32>({40, 64});
    const array<f32> whole = run(x);
    for (const std::int64_t rows : {1, 40, 3, 40, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1}) {
        const array<f32> y = run(array_view<f32>(x.data(), {rows, 64}));
        CHECK(y.extents() == extent_list({rows, 10}));
        for (int i = 0; i < 10; ++i) CHECK(y(rows - 1, i) == doctest::Approx(whole(rows - 1, i)).epsilon(1e-5));
    }
}

//=== several executors ===//

TEST_CASE("executors on several threads share weights") {
    const weights<classifier> host = random_weights<classifier>();
    const cuda::weights<classifier> w(host);
    const array<f32> x = numbers<f32>({50, 64});
    const array<f32> wanted = host_executor<classifier>(host)(x);
    std::vector<array<f32>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results)
        threads.emplace_back([&] {
            host_executor<classifier> run(w);
            for (int i = 0; i < 5; ++i) result = run(x);
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& result : results) CHECK(same_bits(result, wanted));
}

TEST_CASE("an executor outlives the weights that it was made with") {
    const array<f32> x = numbers<f32>({5, 64});
    auto w = std::make_unique<weights<classifier>>(random_weights<classifier>());
    host_executor<classifier> run(*w);
    const array<f32> before = run(x);
    w.reset();
    CHECK(same_bits(run(x), before));
}

} // namespace
} // namespace toroid::tests
