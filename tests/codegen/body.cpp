// A kernel body evaluated element by element in constant evaluation: registers, dims, and what reductions start from.

#include <cstdint>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

#include <toroid/codegen/body.hpp>
#include <toroid/codegen/launcher.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

template <class Model, int D = 0> using body = kernel_body<program<Model>, D>;

//=== registers ===//

struct mixed_types {
    constexpr auto operator()(tensor<f32, B> x, tensor<i32, B> n) const {
        return where(x > 0, to_dtype<f64>(n), to_dtype<f64>(x));
    }
};
static_assert(sizeof(registers<body<mixed_types>>) >= sizeof(double));
template <int I, class T> constexpr T type_of(const value_register<I, T>&);
template <class Body, int I> using register_type = decltype(type_of<I>(std::declval<const registers<Body>&>()));
/// The type of every register is the compute type of its value.
template <class Body, int... I> constexpr bool typed_by_value(std::integer_sequence<int, I...>) {
    return (std::is_same_v<register_type<Body, I>, compute_t<Body::values[I].type>> && ...);
}
static_assert(typed_by_value<body<mixed_types>>(std::make_integer_sequence<int, body<mixed_types>::values.size>{}));
struct halves {
    constexpr auto operator()(tensor<f16, B> x) const { return exp(x); }
};
static_assert(std::is_same_v<register_type<body<halves>, 0>, float>, "f16 is computed in f32");

//=== memory ===//

TEST_CASE("half precision is rounded where it is stored") {
    float16 h{};
    store_element<dtype::f16>(&h, 2049.0F); // 2049 is halfway between 2048 and 2050
    CHECK(load_element<dtype::f16>(&h) == 2048.0F);
    bfloat16 b{};
    store_element<dtype::bf16>(&b, 257.0F);
    CHECK(load_element<dtype::bf16>(&b) == 256.0F);
}

//=== dims ===//

constexpr body_dims<body<softmax_rows>> row_dims({{'B', 7}});
static_assert(row_dims.extent<0>() == 7 && row_dims.extent<1>() == 64);
template <int Access>
constexpr bool is_row_access = row_dims.stride<Access, 0>() == 64 && row_dims.stride<Access, 1>() == 1;
static_assert(is_row_access<body<softmax_rows>::stores[0].access>);
static_assert(stride_is<body<softmax_rows>, body<softmax_rows>::stores[0].access, 1>(1));
static_assert(!stride_is<body<softmax_rows>, body<softmax_rows>::stores[0].access, 0>(1));

//=== reductions ===//

static_assert(combining_op(op::reduce_sum) == op::add && combining_op(op::reduce_prod) == op::mul);
static_assert(combining_op(op::reduce_max) == op::maximum && combining_op(op::reduce_min) == op::minimum);
static_assert(combining_op(op::reduce_any) == op::logical_or && combining_op(op::reduce_all) == op::logical_and);
static_assert(reduction_identity<op::reduce_sum, float>() == 0 && reduction_identity<op::reduce_prod, float>() == 1);
static_assert(reduction_identity<op::reduce_max, float>() == -std::numeric_limits<float>::infinity());
static_assert(reduction_identity<op::reduce_min, double>() == std::numeric_limits<double>::infinity());
static_assert(reduction_identity<op::reduce_max, std::int8_t>() == -128 &&
              reduction_identity<op::reduce_min, std::uint8_t>() == 255);
static_assert(!reduction_identity<op::reduce_any, bool>() && reduction_identity<op::reduce_all, bool>());

/// Combining with the identity changes nothing.
template <op Reduction, class T> constexpr bool is_identity(T x) {
    return definition<combining_op(Reduction)>::apply(reduction_identity<Reduction, T>(), x) == x;
}
static_assert(is_identity<op::reduce_sum>(-3.5F) && is_identity<op::reduce_prod>(-3.5F) &&
              is_identity<op::reduce_max>(-3.5F) && is_identity<op::reduce_min>(-3.5F) &&
              is_identity<op::reduce_max>(std::int32_t{-2147483647 - 1}) && is_identity<op::reduce_any>(true) &&
              is_identity<op::reduce_all>(false));

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
static_assert(arg_is_better<op::reduce_argmax>(1.0F, 3, 0.0F, -1), "anything beats nothing");
static_assert(arg_is_better<op::reduce_argmax>(-std::numeric_limits<float>::infinity(), 3,
                                               -std::numeric_limits<float>::infinity(), -1));
static_assert(!arg_is_better<op::reduce_argmax>(1.0F, -1, 0.0F, 2), "nothing beats no number");
static_assert(arg_is_better<op::reduce_argmax>(2.0F, 9, 1.0F, 1) &&
              !arg_is_better<op::reduce_argmax>(1.0F, 1, 2.0F, 9));
static_assert(arg_is_better<op::reduce_argmin>(1.0F, 9, 2.0F, 1) &&
              !arg_is_better<op::reduce_argmin>(2.0F, 1, 1.0F, 9));
static_assert(arg_is_better<op::reduce_argmax>(2.0F, 1, 2.0F, 9) && !arg_is_better<op::reduce_argmax>(2.0F, 9, 2.0F, 1),
              "first of equals");
static_assert(arg_is_better<op::reduce_argmax>(nan, 9, 2.0F, 1) && !arg_is_better<op::reduce_argmax>(2.0F, 1, nan, 9),
              "NaN wins");
static_assert(arg_is_better<op::reduce_argmax>(nan, 1, nan, 9) && !arg_is_better<op::reduce_argmax>(nan, 9, nan, 1));

//=== evaluation ===//

/// The simplest backend: one element of a pointwise body at a time, values recomputed on demand.
template <class Body> struct element_source {
    const float* const* arguments;
    std::int64_t at;

    template <int Access> constexpr const float* element() const {
        static_assert(Body::arguments[Body::accesses[Access].argument].type == dtype::f32);
        const body_dims<Body> dims({});
        return arguments[Body::accesses[Access].argument] + dims.template stride<Access, 0>() * at;
    }
    template <int Access> constexpr std::int64_t index() const {
        const body_dims<Body> dims({});
        return dims.template get<Body::accesses[Access].offset>() + dims.template stride<Access, 0>() * at;
    }
    template <int Dim> constexpr std::int64_t extent() const { return body_dims<Body>({}).template get<Dim>(); }
    template <int X> constexpr auto operand() const { return compute_value<default_formulas, Body, X>(*this); }

    struct default_formulas {
        template <op O> struct override_for;
    };
};
struct polynomial {
    constexpr auto operator()(tensor<f32, 4> x, tensor<f32, 4> y) const {
        const auto index = x.trace().arange<f32, 4>();
        return where(x < 0, -x, fma(x, y, index)) + 0.5;
    }
};
constexpr float element_of_polynomial(std::int64_t i) {
    using b = body<polynomial>;
    const float x[4] = {-1, 2, 3, -4};
    const float y[4] = {10, 10, 100, 100};
    const float* arguments[b::arguments.size] = {};
    int next = 0;
    for (int a = 0; a < b::arguments.size; ++a)
        if (!b::arguments[a].written) arguments[a] = next++ == 0 ? x : y;
    return compute_value<element_source<b>::default_formulas, b, b::stores[0].value>(element_source<b>{arguments, i});
}
static_assert(element_of_polynomial(0) == 1.5F && element_of_polynomial(1) == 21.5F &&
              element_of_polynomial(2) == 302.5F && element_of_polynomial(3) == 4.5F);

} // namespace
} // namespace toroid::tests
