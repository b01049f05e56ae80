// The executor as its user sees it: results, sharing, and shapes at the edges.

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

TEST_CASE("a square linear layer reads its weight as [out, in]") {
    // In and out are equal: only the values tell the weight from its transpose.
    struct layer : nn::linear<64, 64> {
        constexpr auto operator()(tensor<f32, B, 64> x) const { return nn::linear<64, 64>::operator()(x); }
    };
    const safetensors_file golden(std::string(TOROID_SOURCE_DIR) + "/tests/golden/linear_64x64.safetensors");
    weights<layer> w;
    for (const char* name : {"weight", "bias"}) {
        const array<f32> values = golden.read<f32>(name);
        std::copy(values.span().begin(), values.span().end(), w.view<f32>(name).data());
    }
    cpu::executor<layer> run(w);
    CHECK(almost_equal(make_reference(run(golden.read<f32>("x"))), make_reference(golden.read<f32>("y")), 1e-5));
}

//=== what a model may return ===//

struct whole_sum {
    constexpr auto operator()(tensor<f32, B, 8> x) const { return sum(x); }
};
TEST_CASE("a result of rank 0 has one element") {
    cpu::executor<whole_sum> run;
    const array<f32> y = run(array<f32>({2, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1, 1, 1, 1, 1}));
    CHECK(y.rank() == 0);
    CHECK(y.size() == 1);
    CHECK(y.at({}) == 44);
}

struct scaled_by_scalar {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32> factor) const { return x * factor; }
};
TEST_CASE("an input of rank 0") {
    cpu::executor<scaled_by_scalar> run;
    const array<f32> y = run(array<f32>({3}, {1, 2, 3}), array<f32>({}, {10}));
    CHECK(same_bits(y, array<f32>({3}, {10, 20, 30})));
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
    cpu::executor<bystanders> run(w);
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
    CHECK(again.data() != sum.data());
    CHECK(same_bits(sum_across, array<f32>({3, 2}, {11, 14, 22, 25, 33, 36})));
}

struct shared_subexpression {
    constexpr auto operator()(tensor<f32, B> x) const {
        const auto once = exp(x);
        return std::tuple(once + 1, once * once, exp(x) - once);
    }
};
TEST_CASE("a subexpression that several results share") {
    CHECK(agrees_with_interpreter<shared_subexpression>(1e-6, numbers<f32>({33})));
    CHECK(program<shared_subexpression>::kernel_count() == 1);
}

TEST_CASE("results of a struct have its members' names") {
    cpu::executor<multi_output> run;
    const array<f32> x = numbers<f32>({3, 64}, 1, 1, 2);
    const auto y = run(x);
    CHECK(y.get<"total">().extents() == extent_list({3}));
    CHECK(y.get<"scaled">().extents() == extent_list({3, 64}));
    double largest = 0;
    for (int i = 0; i < 64; ++i) largest = std::max<double>(largest, x(2, i));
    CHECK(y.get<"largest">()(2) == largest);
}

//=== extents at the edges ===//

TEST_CASE("an empty batch gives an empty result, and no launch") {
    int launches = 0;
    cpu::executor_options options;
    options.hooks.enter = [](void* context, const launch_info& launch) {
        if (launch.grid.elements != 0) ++*static_cast<int*>(context);
    };
    options.hooks.context = &launches;
    cpu::executor<classifier> run(random_weights<classifier>(), options);
    const array<f32> y = run(array<f32>({0, 64}));
    CHECK(y.extents() == extent_list({0, 10}));
    CHECK(launches == 0);
    CHECK(run(numbers<f32>({1, 64})).extents() == extent_list({1, 10}));
}

struct reduces_nothing {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        return std::tuple(sum<-1>(x), prod<-1>(x), any<-1>(x), all<-1>(x));
    }
};
TEST_CASE("reductions over nothing are their identities") {
    cpu::executor<reduces_nothing> run;
    const auto [total, product, some, every] = run(array<f32>({3, 0}));
    CHECK(same_bits(total, array<f32>({3}, {0, 0, 0})));
    CHECK(same_bits(product, array<f32>({3}, {1, 1, 1})));
    CHECK(same_bits(some, array<boolean>({3}, {false, false, false})));
    CHECK(same_bits(every, array<boolean>({3}, {true, true, true})));
}

struct odd_extent {
    constexpr auto operator()(tensor<f32, 2 * B + 1> x) const { return x * 2; }
};
TEST_CASE("a symbol is solved from the extent 2*B + 1") {
    cpu::executor<odd_extent> run;
    CHECK(run(array<f32>({7})).extents() == extent_list({7}));
    CHECK(run(array<f32>({1})).extents() == extent_list({1}));
}

struct sum_of_halves {
    constexpr auto operator()(tensor<f32, 2 * B> x, tensor<f32, B> y) const {
        return slice<0, 0, B>(x) + slice<0, B>(x) + y;
    }
};
TEST_CASE("several inputs share a symbol, and slices end at one") {
    cpu::executor<sum_of_halves> run;
    CHECK(same_bits(run(array<f32>({4}, {1, 2, 3, 4}), array<f32>({2}, {10, 20})), array<f32>({2}, {14, 26})));
}

//=== one executor after another extent ===//

TEST_CASE("one executor runs any batch, larger or smaller than before") {
    cpu::executor<classifier> run(random_weights<classifier>());
    const array<f32> x = numbers<f32>({40, 64});
    const array<f32> whole = run(x);
    for (const std::int64_t rows : {1, 40, 3}) {
        const array<f32> y = run(array_view<f32>(x.data(), {rows, 64}));
        CHECK(y.extents() == extent_list({rows, 10}));
        for (int i = 0; i < 10; ++i) CHECK(y(rows - 1, i) == doctest::Approx(whole(rows - 1, i)).epsilon(1e-6));
    }
}

//=== views and copies ===//

TEST_CASE("a copy of a strided view is a valid input") {
    cpu::executor<whole_sum> run;
    array<f32> wide({2, 16});
    for (int i = 0; i < 32; ++i) wide.data()[i] = static_cast<float>(i);
    const array_view<f32> every_other(wide.data(), {2, 8}, {16, 2});
    CHECK(run(contiguous(every_other)).at({}) == 0 + 2 + 4 + 6 + 8 + 10 + 12 + 14 + 16 * 8 + 56);
}

//=== errors as values ===//

TEST_CASE("try_run returns the error that the call would throw") {
    cpu::executor<whole_sum> run;
    const auto good = run.try_run(array<f32>({1, 8}));
    CHECK(good.has_value());
    auto bad = run.try_run(array<f32>({1, 9}));
    REQUIRE_FALSE(bad);
    CHECK(bad.failure().code() == error_code::guard_failed);
    CHECK_THROWS_AS(static_cast<void>(bad.value()), error);
    static_assert(noexcept(run.try_run(std::declval<const array_view<f32>&>())));
}

//=== several executors ===//

TEST_CASE("executors on several threads share weights") {
    const weights<classifier> w = random_weights<classifier>();
    const array<f32> x = numbers<f32>({50, 64});
    const array<f32> wanted = cpu::executor<classifier>(w)(x);
    std::vector<array<f32>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results)
        threads.emplace_back([&] {
            cpu::executor<classifier> run(w);
            for (int i = 0; i < 5; ++i) result = run(x);
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& result : results) CHECK(same_bits(result, wanted));
}

} // namespace
} // namespace toroid::tests
