// Why two labelled operations are not in one kernel: every reason that a model can provoke.

#include <string_view>

#include <doctest/doctest.h>

#include <toroid/schedule/reason.hpp>

#include "models.hpp"

namespace toroid::tests {
namespace {

using enum fusion_reason;

template <class Model, class Target = targets::cpu>
constexpr fusion_reason reason(std::string_view a, std::string_view b) {
    return program<Model, Target>::why_not_fused(a, b);
}
template <class Model> constexpr bool together(std::string_view a, std::string_view b) {
    using p = program<Model>;
    return p::kernel_of(a) >= 0 && p::kernel_of(a) == p::kernel_of(b) && p::why_not_fused(a, b) == fused;
}

//=== in one kernel ===//

static_assert(together<attention>("scores", "probs"));
static_assert(program<attention>::kernel_of("scores") == 1 && program<attention>::kernel_of("mixed") == 2,
              "launches are numbered in order: matmul, softmax, matmul");
static_assert(program<attention>::kernel_of("no such label") == -1);
static_assert(program<attention>::node_of("no such label") == -1);

struct broadcast_row_value {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        const auto total = named(sum<-1>(x, keepdim), "total");
        return named(x / total, "scaled");
    }
};
static_assert(together<broadcast_row_value>("total", "scaled"), "a row value is broadcast along its own row");

//=== apart ===//

static_assert(reason<attention>("probs", "mixed") == extern_kernel);
static_assert(reason<attention>("scores", "mixed") == extern_kernel, "another pair of the same two launches");
static_assert(reason<attention>("probs", "no such label") == not_adjacent);

struct far_apart {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        const auto first = named(tanh(x), "first");
        const auto second = named(tanh(matmul(first, w)), "second");
        return named(tanh(matmul(second, w)), "third");
    }
};
static_assert(reason<far_apart>("first", "third") == not_adjacent);
static_assert(reason<far_apart>("first", "second") == not_adjacent, "only the matmul between them reads it");

struct rows_and_columns {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        const auto powers = named(exp(x), "powers");
        return std::tuple(named(sum<1>(powers, keepdim), "rows"), named(sum<0>(powers, keepdim), "columns"));
    }
};
static_assert(together<rows_and_columns>("powers", "rows"));
static_assert(reason<rows_and_columns>("powers", "columns") == reduction_axes_differ);

struct sum_of_sums {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        const auto rows = named(sum<1>(x, keepdim), "rows");
        return named(sum<0>(rows, keepdim), "total");
    }
};
static_assert(reason<sum_of_sums>("rows", "total") == reduces_row_values);

struct transposed_reduction {
    constexpr auto operator()(tensor<f32, 8, 8, B> x) const {
        const auto table = named(reshape<8, 8>(sum<2>(x)), "table");
        return named(table + transpose(table), "symmetric");
    }
};
static_assert(reason<transposed_reduction>("table", "symmetric") == index_maps_differ);

struct expensive_broadcast {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, 64> y) const {
        const auto powers = named(exp(y), "powers");
        return named(x * powers, "scaled");
    }
};
static_assert(reason<expensive_broadcast>("powers", "scaled") == broadcast_too_dear);
static_assert(program<expensive_broadcast>::kernel_count() == 2);

struct cheap_broadcast {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, 64> y) const { return x * (y + 1); }
};
static_assert(program<cheap_broadcast>::kernel_count() == 1, "a cheap one is computed again for every row");

struct row_value_elsewhere {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, B, 32> y) const {
        const auto total = named(sum<1>(x, keepdim), "total");
        return named(y * total, "scaled");
    }
};
static_assert(reason<row_value_elsewhere>("total", "scaled") == domains_differ, "rows of 64 and rows of 32");

struct around_a_matmul {
    constexpr auto operator()(tensor<f32, 8, 8> x, tensor<f32, 8, 8> w) const {
        const auto first = named(tanh(x), "first");
        return named(first + matmul(first, w), "sum");
    }
};
static_assert(reason<around_a_matmul>("first", "sum") == would_cycle, "the matmul needs `first` and feeds `sum`");

struct joined {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, B, 8> y) const {
        const auto both = named(concat<1>(relu(x), tanh(y)), "both");
        return named(exp(both), "powers");
    }
};
static_assert(reason<joined>("both", "powers") == concat_parts);

struct two_operations {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return named(tanh(named(exp(x), "first")), "second"); }
};
static_assert(together<two_operations>("first", "second"));
static_assert(reason<two_operations, targets::with_fusion_level<targets::cpu, 0>>("first", "second") ==
              fusion_disabled);

/// A target whose kernels hold four operations and compute nothing twice.
struct small_kernels {
    static constexpr target_facts facts = [] {
        target_facts result = targets::cpu::facts;
        result.max_fused_ops = 4;
        result.max_inlined_ops = 0;
        return result;
    }();
};
struct six_operations {
    constexpr auto operator()(tensor<f32, B, 64> x) const {
        for (int i = 0; i < 3; ++i) x = exp(x);
        x = named(exp(x), "fourth");
        return exp(named(exp(x), "fifth"));
    }
};
static_assert(together<six_operations>("fourth", "fifth"));
static_assert(reason<six_operations, small_kernels>("fourth", "fifth") == kernel_full);
static_assert(program<six_operations, small_kernels>::kernel_count() == 2);

/// Eight axes of extent 4; pairs of them re-cut as 2 x 8 need a ninth range.
struct nine_ranges {
    constexpr auto operator()(tensor<f32, 4, 4, 4, 4, 4, 4, 4, 4> x) const {
        const auto kept = named(max<7>(exp(x), keepdim), "kept");
        return named(exp(reshape<2, 8, 4, 4, 4, 4, 4, 1>(kept)), "cut");
    }
};
static_assert(reason<nine_ranges>("kept", "cut") == too_many_ranges);

//=== the bounded search ===//

/// More launches lie between the two ends than the search for cycles looks at.
template <int Between> struct long_way_round {
    constexpr auto operator()(tensor<f32, 4, 4> x, tensor<f32, 4, 4> w) const {
        const auto first = named(tanh(x), "first");
        auto y = first;
        for (int i = 0; i < Between; ++i) y = matmul(y, w);
        return named(first + y, "sum");
    }
};
static_assert(reason<long_way_round<20>>("first", "sum") == would_cycle);
static_assert(reason<long_way_round<600>>("first", "sum") == search_budget);

//=== sentences ===//

TEST_CASE("every reason has a sentence of its own") {
    constexpr int count = static_cast<int>(fusion_disabled) + 1;
    for (int i = 0; i < count; ++i) {
        const std::string_view sentence = describe(static_cast<fusion_reason>(i));
        CAPTURE(i);
        CHECK(sentence.size() > 10);
        for (int j = 0; j < i; ++j) CHECK(sentence != describe(static_cast<fusion_reason>(j)));
    }
    CHECK(std::string_view(describe(extern_kernel)).find("matmul") != std::string_view::npos);
    CHECK(std::string_view(describe(fusion_disabled)).find("level is 0") != std::string_view::npos);
}

} // namespace
} // namespace toroid::tests
