#include <toroid/backend/cpu/gemm.hpp>

#include <cstdint>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "gemm_operands.hpp"

namespace {

using namespace toroid;
using namespace toroid_test;

TEST_CASE_TEMPLATE("random shapes and layouts match the triple loop bit by bit on every instruction set", Type,
                   type<u8>, type<i8>, type<i16>, type<i32>, type<i64>) {
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

TEST_CASE_TEMPLATE("every pair of layouts, for vectors and matrices", Type, type<i8>, type<i32>) {
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

TEST_CASE_TEMPLATE("shapes that span several blocks of rows, columns and depth", Type, type<i16>, type<i64>) {
    std::mt19937 random(11);
    thread_pool pool(3);
    for (const shape s : {shape{300, 70, 800}, shape{70, 900, 390}, shape{2, 1200, 700}, shape{600, 33, 5}})
        for (const layout b_layout : {layout::rows, layout::columns})
            for (const isa level : available_isas())
                REQUIRE(mismatches<Type::value>(random, s, layout::rows, b_layout, level, pool) == 0);
}

TEST_CASE_TEMPLATE("an empty sum is zero, an empty result is not touched", Type, type<u8>, type<i8>, type<i16>,
                   type<i32>, type<i64>) {
    constexpr dtype T = Type::value;
    std::mt19937 random(3);
    thread_pool pool(2);
    for (const shape s : {shape{5, 7, 0}, shape{0, 7, 3}, shape{5, 0, 3}, shape{0, 0, 0}})
        CHECK(mismatches<T>(random, s, layout::rows, layout::rows, isa::baseline, pool) == 0);
    gemm(gemm_arguments<T>{}, isa::baseline, pool);
}

TEST_CASE("integer products wrap in their own type") {
    thread_pool pool(1);
    const std::int8_t a[] = {100, 100, 100}, b[] = {2, 2, 2};
    std::int8_t c = 0;
    gemm(gemm_arguments<i8>{1, 1, 3, a, 3, 1, b, 1, 1, &c, 1}, isa::baseline, pool);
    CHECK(c == static_cast<std::int8_t>(600));
    const std::int64_t most = std::numeric_limits<std::int64_t>::max(), two = 2;
    std::int64_t wide = 0;
    gemm(gemm_arguments<i64>{1, 1, 1, &most, 1, 1, &two, 1, 1, &wide, 1}, isa::baseline, pool);
    CHECK(wide == -2);
}

} // namespace
