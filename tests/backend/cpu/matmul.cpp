// Matrix products as the executor calls them: batches, broadcasting, transposed and sliced operands.

#include <type_traits>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/matmul.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

#if defined(TOROID_WITH_CBLAS)
static_assert(std::is_same_v<cpu::default_matmul, cblas_matmul>);
#else
static_assert(std::is_same_v<cpu::default_matmul, native_matmul>);
#endif

/// A product without any copy of its operands.
template <class Model> inline constexpr bool copies_nothing = program<Model>::kernel_count() == 0;

struct operands_as_views {
    constexpr auto operator()(tensor<f32, B, 5> x, tensor<f32, B, 6> y, tensor<f32, 12, 5> z) const {
        return std::tuple(matmul(transpose(x), y), matmul(x, transpose(z)), matmul(x, transpose(slice<0, 3, 9>(z))),
                          matmul(x, transpose(slice<0, 0, 12, 2>(z))));
    }
};
TEST_CASE("transposed and sliced operands are read where they lie") {
    static_assert(copies_nothing<operands_as_views>);
    for (const std::int64_t rows : {1, 3, 40})
        CHECK(agrees_with_interpreter<operands_as_views>(1e-5, numbers<f32>({rows, 5}), numbers<f32>({rows, 6}, 2),
                                                         numbers<f32>({12, 5}, 3)));
}

struct batches {
    constexpr auto operator()(tensor<f32, B, 3, 4, 5> x, tensor<f32, B, 3, 5, 2> y, tensor<f32, 5, 2> z,
                              tensor<f32, B, 1, 5, 2> u) const {
        return std::tuple(matmul(x, y), matmul(x, z), matmul(x, u),
                          matmul(permute<1, 0, 2, 3>(x), permute<1, 0, 2, 3>(y)));
    }
};
TEST_CASE("batches, of views and broadcast too") {
    static_assert(copies_nothing<batches>);
    for (const std::int64_t b : {1, 2, 7})
        CHECK(agrees_with_interpreter<batches>(1e-5, numbers<f32>({b, 3, 4, 5}), numbers<f32>({b, 3, 5, 2}, 2),
                                               numbers<f32>({5, 2}, 3), numbers<f32>({b, 1, 5, 2}, 4)));
}

struct inner_symbol {
    constexpr auto operator()(tensor<f32, 3, B> x, tensor<f32, B, 2> y) const { return matmul(x, y) + 1; }
};
TEST_CASE("a product over nothing is 0; products with no rows are empty") {
    cpu::executor<inner_symbol> run;
    const array<f32> y = run(array<f32>({3, 0}), array<f32>({0, 2}));
    for (const float element : y.span()) CHECK(element == 1);
    CHECK(agrees_with_interpreter<inner_symbol>(1e-5, numbers<f32>({3, 300}), numbers<f32>({300, 2}, 2)));
    cpu::executor<batches> batched;
    CHECK(std::get<0>(
              batched(array<f32>({0, 3, 4, 5}), array<f32>({0, 3, 5, 2}), array<f32>({5, 2}), array<f32>({0, 1, 5, 2})))
              .size() == 0);
}

} // namespace
} // namespace toroid::tests
