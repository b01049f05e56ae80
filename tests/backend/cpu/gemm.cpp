#include <toroid/backend/cpu/gemm.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gemm_operands.hpp"

namespace {

using namespace toroid;
using namespace toroid_test;

TEST_CASE_TEMPLATE("random shapes and layouts match the triple loop bit by bit on every instruction set", Type,
                   type<f16>, type<bf16>, type<f32>, type<f64>) {
    std::mt19937 random(20240601);
    thread_pool pool(2);
    for (const isa level : available_isas())
        for (int round = 0; round < 250; ++round) {
            const shape s = random_shape(random, 70);
            const layout a_layout = random_layout(random), b_layout = random_layout(random);
            CAPTURE(name_of(level));
            CAPTURE(s.m);
            CAPTURE(s.n);
            CAPTURE(s.k);
            CAPTURE(static_cast<int>(a_layout));
            CAPTURE(static_cast<int>(b_layout));
            REQUIRE(mismatches<Type::value>(random, s, a_layout, b_layout, level, pool) == 0);
        }
}

TEST_CASE_TEMPLATE("every pair of layouts, for vectors and matrices", Type, type<f32>, type<bf16>) {
    std::mt19937 random(7);
    thread_pool pool(2);
    for (const layout a_layout : every_layout)
        for (const layout b_layout : every_layout)
            for (const shape s :
                 {shape{1, 37, 53}, shape{37, 1, 53}, shape{3, 300, 40}, shape{7, 9, 70}, shape{33, 65, 41}})
                for (const isa level : available_isas()) {
                    CAPTURE(static_cast<int>(a_layout));
                    CAPTURE(static_cast<int>(b_layout));
                    CAPTURE(s.m);
                    REQUIRE(mismatches<Type::value>(random, s, a_layout, b_layout, level, pool) == 0);
                }
}

TEST_CASE_TEMPLATE("shapes that span several blocks of rows, columns and depth", Type, type<f32>, type<f64>,
                   type<f16>) {
    std::mt19937 random(11);
    thread_pool pool(3);
    for (const shape s : {shape{300, 70, 800}, shape{70, 900, 390}, shape{2, 1200, 700}, shape{600, 33, 5}})
        for (const layout b_layout : {layout::rows, layout::columns})
            for (const isa level : available_isas())
                REQUIRE(mismatches<Type::value>(random, s, layout::rows, b_layout, level, pool) == 0);
}

TEST_CASE_TEMPLATE("an empty sum is zero, an empty result is not touched", Type, type<f16>, type<bf16>, type<f32>,
                   type<f64>) {
    constexpr dtype T = Type::value;
    std::mt19937 random(3);
    thread_pool pool(2);
    for (const shape s : {shape{5, 7, 0}, shape{0, 7, 3}, shape{5, 0, 3}, shape{0, 0, 0}})
        CHECK(mismatches<T>(random, s, layout::rows, layout::rows, isa::baseline, pool) == 0);
    gemm(gemm_arguments<T>{}, isa::baseline, pool);
}

TEST_CASE_TEMPLATE("real values stay within the error bound of a sum", Type, type<f32>, type<f64>) {
    constexpr dtype T = Type::value;
    using real = storage_t<T>;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> values(-1, 1);
    const shape s{19, 45, 1000};
    for (const layout b_layout : {layout::rows, layout::columns})
        for (const std::int64_t m : {std::int64_t{1}, s.m})
            for (const isa level : available_isas()) {
                operand<T> a(random, m, s.k, layout::rows), b(random, s.k, s.n, b_layout);
                for (real& x : a.data) x = static_cast<real>(values(random));
                for (real& x : b.data) x = static_cast<real>(values(random));
                result<T> actual(m, s.n);
                const auto x = arguments_of(shape{m, s.n, s.k}, a, b, actual);
                gemm(x, level);
                for (std::int64_t i = 0; i < m; ++i)
                    for (std::int64_t j = 0; j < s.n; ++j) {
                        long double exact = 0, magnitude = 0;
                        for (std::int64_t p = 0; p < s.k; ++p) {
                            const long double term =
                                static_cast<long double>(x.a[i * x.a_row_stride + p * x.a_col_stride]) *
                                x.b[p * x.b_row_stride + j * x.b_col_stride];
                            exact += term;
                            magnitude += std::abs(term);
                        }
                        const long double bound = magnitude * 400 * std::numeric_limits<real>::epsilon();
                        REQUIRE(std::abs(static_cast<long double>(actual.at(i, j)) - exact) <= bound);
                    }
            }
}

TEST_CASE_TEMPLATE("the number of threads changes no bit", Type, type<f32>, type<f64>, type<bf16>) {
    constexpr dtype T = Type::value;
    std::mt19937 random(9);
    std::uniform_real_distribution<double> values(-1, 1);
    thread_pool one(1);
    for (const shape s : {shape{131, 205, 500}, shape{64, 1000, 97}, shape{1, 1500, 900}, shape{2, 2100, 600},
                          shape{1300, 5, 700}, shape{9, 3000, 64}})
        for (const layout b_layout : {layout::rows, layout::columns})
            for (const isa level : available_isas()) {
                operand<T> a(random, s.m, s.k, layout::rows), b(random, s.k, s.n, b_layout);
                for (auto& x : a.data) x = static_cast<storage_t<T>>(static_cast<compute_t<T>>(values(random)));
                for (auto& x : b.data) x = static_cast<storage_t<T>>(static_cast<compute_t<T>>(values(random)));
                result<T> alone(s.m, s.n);
                gemm(arguments_of(s, a, b, alone), level, one);
                for (const int threads : {2, 3, 5}) {
                    thread_pool several(threads);
                    result<T> shared(s.m, s.n);
                    gemm(arguments_of(s, a, b, shared), level, several);
                    REQUIRE(std::memcmp(alone.data.data(), shared.data.data(),
                                        alone.data.size() * sizeof(storage_t<T>)) == 0);
                }
            }
}

TEST_CASE_TEMPLATE("NaN and infinity propagate, also through a factor of zero", Type, type<f16>, type<bf16>, type<f32>,
                   type<f64>) {
    constexpr dtype T = Type::value;
    using storage = storage_t<T>;
    using value = compute_t<T>;
    const auto make = [](double x) { return static_cast<storage>(static_cast<value>(x)); };
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::mt19937 random(13);
    const double special[] = {0.0, -0.0, 1.0, -2.0, infinity, -infinity, nan};
    thread_pool pool(1);
    for (const shape s : {shape{1, 19, 33}, shape{13, 2, 33}, shape{13, 35, 21}, shape{2, 140, 9}})
        for (const layout b_layout : {layout::rows, layout::columns})
            for (const isa level : available_isas()) {
                operand<T> a(random, s.m, s.k, layout::rows), b(random, s.k, s.n, b_layout);
                for (auto& x : a.data) x = random() % 40 == 0 ? make(special[random() % 7]) : make(random() % 2);
                for (auto& x : b.data) x = random() % 40 == 0 ? make(special[random() % 7]) : make(random() % 2);
                a.data[0] = make(0.0); // A[0, 0] * B[0, 0]
                b.data[0] = make(infinity);
                result<T> actual(s.m, s.n);
                const auto x = arguments_of(s, a, b, actual);
                gemm(x, level, pool);
                CHECK(std::isnan(static_cast<double>(static_cast<value>(actual.at(0, 0)))));
                for (std::int64_t i = 0; i < s.m; ++i)
                    for (std::int64_t j = 0; j < s.n; ++j) {
                        const double expected = static_cast<double>(static_cast<value>(exact_element<T>(x, i, j)));
                        const double got = static_cast<double>(static_cast<value>(actual.at(i, j)));
                        REQUIRE((std::isnan(expected) ? std::isnan(got) : got == expected));
                    }
            }
}

TEST_CASE("half-precision sums are rounded once") {
    // 2048 + 1 + 1 - 2048 is 2; rounding to f16 after each step would lose both ones.
    thread_pool pool(1);
    const float16 a[] = {float16(2048.0f), float16(1.0f), float16(1.0f), float16(-2048.0f)};
    const float16 ones[] = {float16(1.0f), float16(1.0f), float16(1.0f), float16(1.0f)};
    float16 c;
    gemm(gemm_arguments<f16>{1, 1, 4, a, 4, 1, ones, 1, 1, &c, 1}, isa::baseline, pool);
    CHECK(static_cast<float>(c) == 2.0f);
}

TEST_CASE("native_matmul is gemm") {
    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    float c[4] = {};
    native_matmul::run(gemm_arguments<f32>{2, 2, 2, a, 2, 1, b, 2, 1, c, 2});
    CHECK(c[0] == 19);
    CHECK(c[1] == 22);
    CHECK(c[2] == 43);
    CHECK(c[3] == 50);
}

} // namespace
