// Loop nests of every length around the widths of vectors, warps and blocks; roundings of products and of halves.

#include <cmath>

#include <doctest/doctest.h>

#include "../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

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
    return agrees_on_device<arithmetic_nests>(1e-5, x) && agrees_on_device<formula_nests>(1e-5, x);
}
TEST_CASE("rows and columns of every length around the widths of the machine") {
    // The interpreter visits single elements; few rows suffice.
    for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 31, 32, 33, 63, 64, 65, 127, 130, 257, 1025}) {
        CAPTURE(n);
        CHECK(every_nest_agrees(numbers<f32>({3, n}, static_cast<unsigned>(n))));
        CHECK(every_nest_agrees(numbers<f32>({n, 3}, static_cast<unsigned>(n))));
    }
}
TEST_CASE("launches of many blocks (long)") {
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
    host_executor<products_and_sums> run;
    const auto plus = run(x, x, negative);
    const auto minus = run(x, x, z);
    for (const std::int64_t i : {std::int64_t{0}, count - 1}) {
        CHECK(std::get<0>(plus)(i) == 0);
        CHECK(std::get<1>(plus)(i) == 0);
        CHECK(std::get<2>(minus)(i) == 0);
        CHECK(std::get<3>(minus)(i) == 0);
        CHECK(std::get<4>(plus)(i) == lost);
    }
}
TEST_CASE("a sum of products rounds each product") {
    // Elements of every lane that a thread may sum: the pair cancels only where the product was rounded.
    const float a = 1 + std::ldexp(1.0F, -12);
    const float rounded = 1 + std::ldexp(1.0F, -11);
    array<f32> rows({128, 128});
    array<f32> others({128, 128});
    for (int r = 0; r < 128; ++r) {
        rows(r, 0) = 1;
        others(r, 0) = -rounded;
        const int partner = r == 0 ? 1 : r;
        rows(r, partner) = others(r, partner) = a;
    }
    host_executor<sum_of_products> total;
    CHECK(same_bits(total(rows, others), array<f32>({128})));
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
    host_executor<half_chain<T>> run;
    const auto [chain, cast] = run(x);
    for (std::int64_t i = 0; i < x.size(); ++i) {
        const auto f = static_cast<float>(x(i));
        CHECK(static_cast<float>(chain(i)) == static_cast<float>(static_cast<storage_t<T>>((f * 3 + 1) / 7 - f)));
        CHECK(cast(i) == static_cast<float>(static_cast<storage_t<T>>(f * 3)) / 7);
    }
}
TEST_CASE("a chain in half precision is carried in f32 and rounded once; an explicit cast rounds") {
    check_half_chain<f16>();
    check_half_chain<bf16>();
}

} // namespace
} // namespace toroid::tests
