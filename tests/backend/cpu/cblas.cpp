#include <toroid/backend/cpu/cblas.hpp>

#include <cstdint>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "gemm_operands.hpp"

namespace {

using namespace toroid;
using namespace toroid_test;

bool expressible(layout kind) {
    return kind == layout::rows || kind == layout::columns || kind == layout::padded_rows ||
           kind == layout::padded_columns;
}

TEST_CASE_TEMPLATE("every pair of layouts gives the exact product, through BLAS where it can express them", Type,
                   type<f32>, type<f64>, type<i32>, type<bf16>) {
    constexpr dtype T = Type::value;
    std::mt19937 random(17);
    for (const layout a_layout : every_layout)
        for (const layout b_layout : every_layout)
            for (const shape s : {shape{13, 7, 9}, shape{1, 20, 33}, shape{20, 1, 33}, shape{5, 6, 1}, shape{1, 1, 1},
                                  shape{4, 3, 0}, shape{0, 3, 2}}) {
                CAPTURE(static_cast<int>(a_layout));
                CAPTURE(static_cast<int>(b_layout));
                CAPTURE(s.m);
                CAPTURE(s.n);
                CAPTURE(s.k);
                const operand<T> a(random, s.m, s.k, a_layout), b(random, s.k, s.n, b_layout);
                result<T> actual(s.m, s.n);
                const gemm_arguments<T> x = arguments_of(s, a, b, actual);
                cblas_matmul::run(x);
                REQUIRE(actual.mismatches([&](std::int64_t i, std::int64_t j) { return exact_element<T>(x, i, j); }) ==
                        0);
                if (s.m > 1 && s.n > 1 && s.k > 1) {
                    const bool takes_type = T == f32 || T == f64;
                    CHECK(cblas_matmul::accepts(x) == (takes_type && expressible(a_layout) && expressible(b_layout)));
                }
            }
}

TEST_CASE("what BLAS cannot express is not handed to it") {
    gemm_arguments<f32> x{4, 5, 6, nullptr, 6, 1, nullptr, 5, 1, nullptr, 5};
    CHECK(cblas_matmul::accepts(x));
    const std::int64_t beyond = std::int64_t{std::numeric_limits<int>::max()} + 1;
    auto large = x;
    large.k = beyond;
    CHECK_FALSE(cblas_matmul::accepts(large));
    auto far_rows = x;
    far_rows.a_row_stride = beyond;
    CHECK_FALSE(cblas_matmul::accepts(far_rows));
    auto far_result = x;
    far_result.c_row_stride = beyond;
    CHECK_FALSE(cblas_matmul::accepts(far_result));
    auto negative = x;
    negative.b_row_stride = -5;
    CHECK_FALSE(cblas_matmul::accepts(negative));
    auto overlapping = x;
    overlapping.a_row_stride = 3;
    CHECK_FALSE(cblas_matmul::accepts(overlapping));
    auto empty = x;
    empty.k = 0;
    CHECK_FALSE(cblas_matmul::accepts(empty));
    auto one_row = x;
    one_row.m = 1;
    one_row.a_row_stride = 0;
    CHECK(cblas_matmul::accepts(one_row));
}

} // namespace
