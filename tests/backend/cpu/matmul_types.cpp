// Matrix products of every dtype, as the executor calls them.

#include <doctest/doctest.h>

#include <toroid/backend/cpu/matmul.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

template <dtype T> struct of_type {
    constexpr auto operator()(tensor<T, B, 7> x, tensor<T, 7, 3> y) const { return matmul(x, y); }
};
TEST_CASE("every dtype of a product") {
    CHECK(agrees_with_interpreter<of_type<f64>>(1e-12, numbers<f64>({5, 7}), numbers<f64>({7, 3}, 2)));
    CHECK(agrees_with_interpreter<of_type<f16>>(2e-3, numbers<f16>({5, 7}), numbers<f16>({7, 3}, 2)));
    CHECK(agrees_with_interpreter<of_type<bf16>>(1.6e-2, numbers<bf16>({5, 7}), numbers<bf16>({7, 3}, 2)));
    CHECK(agrees_with_interpreter<of_type<i32>>(0, numbers<i32>({5, 7}, 1, -9, 9), numbers<i32>({7, 3}, 2, -9, 9)));
    CHECK(agrees_with_interpreter<of_type<u8>>(0, numbers<u8>({5, 7}, 1, 0, 255), numbers<u8>({7, 3}, 2, 0, 255)));
}

} // namespace
} // namespace toroid::tests
