// Tests of <toroid/codegen/kernel_name.hpp>.

#include <doctest/doctest.h>

#include <string_view>
#include <tuple>

#include <toroid/codegen/kernel_name.hpp>
#include <toroid/expr/expr.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr kernel_value value(op code, value_kind kind = value_kind::compute) {
    kernel_value v;
    v.kind = kind;
    v.code = code;
    return v;
}
template <int N> constexpr bool is_named(const kernel_value (&values)[N], int number, std::string_view expected) {
    return std::string_view(make_kernel_name(values, N, number).text) == expected;
}

//=== the rule ===//

constexpr kernel_value load = value(op::identity, value_kind::load);
constexpr kernel_value constant = value(op::identity, value_kind::constant);

static_assert(is_named({load, load, value(op::add), constant, value(op::relu)}, 0, "fused_add_relu_0"));
// Only what moves elements.
static_assert(is_named({load}, 3, "fused_copy_3"));
static_assert(is_named({load, value(op::identity)}, 3, "fused_copy_3"));
// Repeats in a row count once, also across loads and identities; others stay.
static_assert(is_named({value(op::mul), load, value(op::mul), value(op::identity), value(op::mul)}, 1, "fused_mul_1"));
static_assert(is_named({value(op::mul), value(op::add), value(op::mul)}, 1, "fused_mul_add_mul_1"));
// Reductions are operations.
static_assert(is_named({load, value(op::exp), value(op::reduce_sum, value_kind::reduce)}, 12, "fused_exp_sum_12"));
// At most four.
static_assert(is_named({value(op::mul), value(op::add), value(op::sub), value(op::exp)}, 7, "fused_mul_add_sub_exp_7"));
static_assert(is_named({value(op::mul), value(op::add), value(op::sub), value(op::exp), value(op::log)}, 7,
                       "fused_mul_add_sub_exp_etc_7"));
static_assert(is_named({value(op::mul), value(op::add), value(op::sub), value(op::exp), value(op::exp)}, 7,
                       "fused_mul_add_sub_exp_7"));

// At most 63 characters, whatever the operations and the number.
constexpr kernel_value long_names[] = {value(op::logical_not), value(op::logical_and), value(op::logical_xor),
                                       value(op::reciprocal), value(op::add)};
static_assert(is_named(long_names, 0, "fused_logical_not_logical_and_logical_xor_reciprocal_etc_0"));
static_assert(is_named(long_names, 99999999, "fused_logical_not_logical_and_logical_xor_etc_99999999"));
constexpr kernel_value longest_names[] = {value(op::logical_not), value(op::logical_and), value(op::logical_xor),
                                          value(op::logical_and)};
static_assert(is_named(longest_names, 1234567, "fused_logical_not_logical_and_logical_xor_etc_1234567"));

//=== in a program ===//

struct two_kernels {
    constexpr auto operator()(tensor<f32, 8, 16> x, tensor<f32, 4, 8> y) const {
        return std::tuple{relu(x + 1), tanh(exp(y))};
    }
};
using net = program<two_kernels>;
static_assert(std::string_view(kernel_name<net, 0>.text) == "fused_add_relu_0");
static_assert(std::string_view(kernel_name<net, 1>.text) == "fused_exp_tanh_1");

} // namespace

TEST_CASE("kernel_name: one object per definition, fit to be kept by hooks") {
    const char* const first = kernel_name<net, 0>.text;
    CHECK(first == kernel_name<net, 0>.text);
    CHECK(first != kernel_name<net, 1>.text);
    CHECK(std::string_view(first) == "fused_add_relu_0");
}
