// Models with matrix products, and with kernels in place, on the GPU, against the interpreter.

#include <doctest/doctest.h>

#include "../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

using unfused = targets::with_fusion_level<targets::sm_90, 0>;

TEST_CASE("kernels between matmuls") {
    CHECK(agrees_on_device<classifier>(1e-5, numbers<f32>({5, 64})));
    CHECK(agrees_on_device<classifier, unfused>(1e-5, numbers<f32>({5, 64})));
    CHECK(agrees_on_device<attention_heads>(1e-5, numbers<f32>({2, 3, 64})));
    const auto q = numbers<f32>({2, 4, 3, 16}, 1);
    CHECK(agrees_on_device<attention>(1e-5, q, numbers<f32>({2, 4, 3, 16}, 2), numbers<f32>({2, 4, 3, 16}, 3)));
}

TEST_CASE("equal layers share their kernels") { CHECK(agrees_on_device<twelve_blocks>(1e-4, numbers<f32>({5, 32}))); }

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
    CHECK(agrees_on_device<ten_in_place>(1e-4, numbers<f32>({8, 8}, 1, -1, 1), numbers<f32>({8, 8}, 2, -1, 1)));
    CHECK(agrees_on_device<rows_in_place>(1e-5, numbers<f32>({300, 16}), numbers<f32>({16, 16}, 2)));
}

//=== every dtype of a matrix product ===//

template <dtype T> struct product {
    constexpr auto operator()(tensor<T, B, S> x, tensor<T, S, 24> y) const { return matmul(x, y); }
};
template <dtype T> bool product_agrees(double relative) {
    return agrees_on_device<product<T>>(relative, numbers<T>({7, 33}, 1, -3, 3), numbers<T>({33, 24}, 2, -3, 3)) &&
           agrees_on_device<product<T>>(relative, numbers<T>({1, 8}, 1, -3, 3), numbers<T>({8, 24}, 2, -3, 3));
}
TEST_CASE("matrix products of every floating dtype") {
    CHECK(product_agrees<f32>(1e-5));
    CHECK(product_agrees<f64>(1e-12));
    CHECK(product_agrees<f16>(1e-3));
    CHECK(product_agrees<bf16>(8e-3));
}
TEST_CASE("matrix products of integers wrap") {
    CHECK(agrees_on_device<product<i32>>(0, numbers<i32>({7, 33}, 1, -9, 9), numbers<i32>({33, 24}, 2, -9, 9)));
    CHECK(agrees_on_device<product<u8>>(0, numbers<u8>({7, 33}, 1, 0, 255), numbers<u8>({33, 24}, 2, 0, 255)));
}

/// Any letter of BLAS: transposed operands, batches, a vector on either side.
struct layouts {
    constexpr auto operator()(tensor<f32, B, 6, 5> x, tensor<f32, B, 7, 5> y, tensor<f32, 5, B> z) const {
        return std::tuple(matmul(x, transpose(y)), matmul(transpose(x), x), matmul(x, z), matmul(transpose(z), z));
    }
};
TEST_CASE("transposed and batched operands") {
    for (const std::int64_t b : {3, 1, 8}) {
        CAPTURE(b);
        CHECK(agrees_on_device<layouts>(1e-5, numbers<f32>({b, 6, 5}), numbers<f32>({b, 7, 5}, 2),
                                        numbers<f32>({5, b}, 3)));
    }
}

TEST_CASE("a matrix product over nothing is zero") {
    host_executor<product<f32>> run;
    const array<f32> y = run(array<f32>({3, 0}), array<f32>({0, 24}));
    CHECK(same_bits(y, array<f32>({3, 24})));
    CHECK(run(array<f32>({0, 4}), array<f32>({4, 24})).extents() == extent_list({0, 24}));
}

} // namespace
} // namespace toroid::tests
