// What a run checks before it launches anything, what its errors say, and what hooks see.

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/runtime.hpp>

#include "../../schedule/models.hpp"
#include "../../storage/support.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

struct pair_sum {
    constexpr auto operator()(tensor<f32, B, 4> x, tensor<f32, B, 4> y) const { return x + y; }
};

/// A one-line message of the given code with every given text in it.
template <class... Text> bool explains(const outcome& o, error_code code, const Text&... text) {
    const bool complete = (o.says(text) && ...);
    if (!complete || o.code != code) MESSAGE(o.message);
    return o.is_one_line() && o.code == code && complete;
}

//=== arguments ===//

TEST_CASE("an input of another rank is named with both ranks") {
    cpu::executor<pair_sum> run;
    const outcome o = outcome_of([&] { run(array<f32>({2, 4}), array<f32>({2, 4, 1})); });
    CHECK(explains(o, error_code::invalid_argument, "input 1", "rank 3", "wants 2"));
}

TEST_CASE("an input of another extent is named with its axis and both extents") {
    cpu::executor<pair_sum> run;
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({2, 5}), array<f32>({2, 4}));
                   }),
                   error_code::guard_failed, "input 0", "axis 1", "extent 5", "wants 4"));
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({2, 4}), array<f32>({3, 4}));
                   }),
                   error_code::guard_failed, "input 1", "axis 0", "extent 3", "wants B = 2"));
}

TEST_CASE("another dtype does not compile") {
    using run = cpu::executor<pair_sum>;
    static_assert(std::is_invocable_v<run&, const array<f32>&, const array<f32>&>);
    static_assert(!std::is_invocable_v<run&, const array<f32>&, const array<f64>&>);
    static_assert(!std::is_invocable_v<run&, const array<f32>&>);
}

TEST_CASE("a strided input names the remedy") {
    cpu::executor<pair_sum> run;
    const array<f32> wide({2, 8});
    const array<f32> y({2, 4});
    const array_view<f32> strided(wide.data(), {2, 4}, {8, 2});
    const outcome o = outcome_of([&] { run(strided, y); });
    CHECK(explains(o, error_code::invalid_argument, "input 0", "strided", "contiguous(view)"));
    CHECK_FALSE(outcome_of([&] { run(contiguous(strided), y); }).thrown);
}

TEST_CASE("a misaligned input or output is refused") {
    cpu::executor<pair_sum> run;
    array<u8> bytes({64});
    const auto* odd = reinterpret_cast<const float*>(bytes.data() + 1);
    const array<f32> y({2, 4});
    CHECK(explains(outcome_of([&] {
                       run(y, array_view<f32>(odd, {2, 4}));
                   }),
                   error_code::invalid_argument, "input 1", "misaligned"));
    CHECK(explains(outcome_of([&] {
                       run.into(mutable_array_view<f32>(const_cast<float*>(odd), {2, 4}), y, y);
                   }),
                   error_code::invalid_argument, "output 0", "misaligned"));
    // Aligned for its elements is enough.
    CHECK_FALSE(outcome_of([&] {
                    run(y, array_view<f32>(reinterpret_cast<const float*>(bytes.data() + 4), {2, 4}));
                }).thrown);
}

TEST_CASE("an output of another shape is named with both shapes") {
    cpu::executor<pair_sum> run;
    array<f32> y({4, 2});
    const array<f32> x({2, 4});
    const outcome o = outcome_of([&] { run.into(y, x, x); });
    CHECK(explains(o, error_code::invalid_argument, "output 0", "[4, 2]", "[2, 4]"));
    CHECK(explains(outcome_of([&] {
                       run.into(mutable_array_view<f32>(y.data(), {2, 4}, {1, 2}), x, x);
                   }),
                   error_code::invalid_argument, "output 0", "strided"));
}

TEST_CASE("an output that overlaps an input is refused, one that touches it is not") {
    cpu::executor<pair_sum> run;
    array<f32> memory({6, 4});
    const array<f32> x({2, 4});
    const auto rows = [&](int first) { return mutable_array_view<f32>(memory.data() + 4 * first, {2, 4}); };
    CHECK(explains(outcome_of([&] { run.into(rows(1), x, rows(2)); }), error_code::invalid_argument, "output 0",
                   "overlaps input 1", "memory of its own"));
    CHECK(outcome_of([&] { run.into(rows(0), rows(0), x); }).thrown);
    CHECK_FALSE(outcome_of([&] { run.into(rows(0), rows(2), rows(4)); }).thrown);
}

struct sum_and_product {
    constexpr auto operator()(tensor<f32, B, 4> x) const {
        const auto sum = x + 1;
        return std::tuple{sum, x * 2};
    }
};
TEST_CASE("outputs that overlap each other are refused") {
    cpu::executor<sum_and_product> run;
    array<f32> y({2, 4});
    array<f32> z({2, 4});
    const array<f32> x({2, 4});
    CHECK(explains(outcome_of([&] { run.into(y, y, x); }), error_code::invalid_argument, "output 0",
                   "overlaps output 1"));
    CHECK_FALSE(outcome_of([&] { run.into(y, z, x); }).thrown);
}

//=== guards ===//

struct at_most_64 {
    constexpr auto operator()(tensor<f32, B, 4> x) const {
        x.trace().check(B <= 64);
        return x + 1;
    }
};
TEST_CASE("a check that does not hold says the condition and the value") {
    cpu::executor<at_most_64> run;
    CHECK(run(array<f32>({64, 4})).extent(0) == 64);
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({100, 4}));
                   }),
                   error_code::guard_failed, "the model checks", "B (= 100)", "<= 64", "does not hold"));
}

TEST_CASE("an error names the line of the plan that found it") {
    using lines = program<at_most_64>;
    cpu::executor<at_most_64> run;
    int line = -1;
    try {
        run(array<f32>({100, 4}));
    } catch (const error& failure) { line = failure.line(); }
    REQUIRE(line >= 0);
    REQUIRE(line < lines::wrapper.sizes.lines);
    CHECK(lines::wrapper.lines[line].kind == line_kind::guard);
    CHECK(lines::wrapper.guards[lines::wrapper.lines[line].index].rhs == dim(64));
}

struct assumes_even {
    constexpr auto operator()(tensor<f32, B> x) const {
        x.trace().expect_true(multiple_of(B, 2));
        return x + 1;
    }
};
TEST_CASE("an assumption is asserted at run time") {
    cpu::executor<assumes_even> run;
    CHECK(run(array<f32>({6})).size() == 6);
    CHECK(explains(outcome_of([&] { run(array<f32>({7})); }), error_code::guard_failed, "the model assumes", "B (= 7)",
                   "multiple of 2"));
}

struct equal_symbols {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32, S> y) const { return x + with_extents<B>(y); }
};
TEST_CASE("a stated equality is a guard") {
    cpu::executor<equal_symbols> run;
    CHECK(same_bits(run(array<f32>({2}, {1, 2}), array<f32>({2}, {3, 4})), array<f32>({2}, {4, 6})));
    CHECK(explains(outcome_of([&] { run(array<f32>({2}), array<f32>({3})); }), error_code::guard_failed, "S (= 3)",
                   "==", "B (= 2)"));
}

struct odd_extent {
    constexpr auto operator()(tensor<f32, 2 * B + 1> x) const { return x + 1; }
};
TEST_CASE("an extent that no value of the symbol gives") {
    cpu::executor<odd_extent> run;
    CHECK(run(array<f32>({5})).size() == 5);
    CHECK(explains(outcome_of([&] { run(array<f32>({6})); }), error_code::guard_failed, "extent 6", "2*B + 1"));
    CHECK(explains(outcome_of([&] { run(array<f32>({0})); }), error_code::guard_failed, "extent 0", "B >= 0"));
}

struct slice_of_unknown {
    constexpr auto operator()(tensor<f32, B> x) const { return slice<0, 2, 5>(x); }
};
TEST_CASE("a slice of a symbolic extent checks that it fits") {
    cpu::executor<slice_of_unknown> run;
    CHECK(same_bits(run(array<f32>({5}, {0, 1, 2, 3, 4})), array<f32>({3}, {2, 3, 4})));
    CHECK(explains(outcome_of([&] { run(array<f32>({4})); }), error_code::guard_failed, "5", "B (= 4)"));
}

TEST_CASE("nothing is launched before every guard has passed") {
    int launches = 0;
    cpu::executor_options options;
    options.hooks.enter = [](void* context, const launch_info&) { ++*static_cast<int*>(context); };
    options.hooks.context = &launches;
    cpu::executor<at_most_64> run({}, options);
    array<f32> y({100, 4});
    y.fill(7);
    CHECK(outcome_of([&] { run.into(y, array<f32>({100, 4})); }).thrown);
    CHECK(launches == 0);
    CHECK(y(99, 3) == 7);
    run(array<f32>({1, 4}));
    CHECK(launches == 1);
}

//=== hooks ===//

struct launch_log {
    std::vector<std::string> events;
    std::vector<launch_grid> grids;
    std::vector<int> argument_counts;
};
cpu::executor_options logging(launch_log& log) {
    cpu::executor_options options;
    options.hooks.context = &log;
    options.hooks.enter = [](void* context, const launch_info& launch) {
        auto& l = *static_cast<launch_log*>(context);
        l.events.push_back(std::string("> ") + launch.kernel);
        l.grids.push_back(launch.grid);
        l.argument_counts.push_back(launch.argument_count);
    };
    options.hooks.exit = [](void* context, const launch_info& launch) {
        static_cast<launch_log*>(context)->events.push_back(std::string("< ") + launch.kernel);
    };
    return options;
}

TEST_CASE("hooks see every launch, in order, with its name and grid") {
    launch_log log;
    cpu::executor<classifier> run(random_weights<classifier>(), logging(log));
    run(numbers<f32>({5, 64}));
    const std::string first = kernel_name<program<classifier>, 0>.text;
    const std::string second = kernel_name<program<classifier>, 1>.text;
    CHECK(first.find("relu") != std::string::npos);
    CHECK(first != second);
    CHECK(log.events == std::vector<std::string>{"> matmul", "< matmul", "> " + first, "< " + first, "> matmul",
                                                 "< matmul", "> " + second, "< " + second});
    REQUIRE(log.grids.size() == 4);
    CHECK(log.grids[0].elements == 5 * 128 * 64);
    CHECK(log.grids[1].elements == 5 * 128);
    CHECK(log.grids[2].elements == 5 * 10 * 128);
    CHECK(log.grids[3].outer == 5);
    CHECK(log.grids[3].elements == 5 * 10);
    CHECK(log.argument_counts[1] == 3); // the matmul's result, the bias, what takes its place
}

TEST_CASE("hooks may be set one without the other") {
    launch_log log;
    cpu::executor_options options = logging(log);
    options.hooks.enter = nullptr;
    cpu::executor<pair_sum> run({}, options);
    const array<f32> x({2, 4});
    run(x, x);
    CHECK(log.events.size() == 1);
}

//=== lines of an allocating extern kernel ===//

struct extern_allocates {
    static constexpr target_facts facts = [] {
        target_facts result = targets::cpu::facts;
        result.extern_allocates = true;
        return result;
    }();
};
struct chain {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, 16, 16> w) const {
        for (int i = 0; i < 3; ++i) x = tanh(matmul(x, w)) + matmul(x, transpose(w));
        return x;
    }
};
TEST_CASE("a target whose extern kernels allocate computes the same") {
    static_assert(program<chain, extern_allocates>::wrapper.sizes.extern_kernel_allocs == 6);
    const array<f32> x = numbers<f32>({9, 16});
    const array<f32> w = numbers<f32>({16, 16}, 2, -0.3, 0.3);
    cpu::executor<chain> run;
    cpu::executor<chain, extern_allocates> allocating;
    CHECK(same_bits(run(x, w), allocating(x, w)));
    CHECK(agrees_with_interpreter<chain, extern_allocates>(1e-5, x, w));
}

} // namespace
} // namespace toroid::tests
