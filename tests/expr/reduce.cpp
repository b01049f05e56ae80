// Reductions: extents with and without kept axes, result dtypes, masks, and the normalised exponentials.

#include <toroid/expr/reduce.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim N = symbol('N');
template <dtype T> constexpr tensor<T, N, 3, 4> x{};

//=== axes: none means all, negative ones count from the end, kept ones stay as 1 ===//

static_assert(gives<decltype(sum(x<f32>)), f32> && gives<decltype(sum<0>(x<f32>)), f32, 3, 4> &&
              gives<decltype(sum<-1>(x<f32>)), f32, N, 3>);
static_assert(gives<decltype(sum<0, 2>(x<f32>)), f32, 3> && gives<decltype(sum<2, 0>(x<f32>)), f32, 3> &&
              gives<decltype(sum<-1, -2>(x<f32>)), f32, N>);
static_assert(gives<decltype(sum(x<f32>, keepdim)), f32, 1, 1, 1> &&
              gives<decltype(sum<1>(x<f32>, keepdim)), f32, N, 1, 4> &&
              gives<decltype(max<0, -1>(x<f32>, keepdim)), f32, 1, 3, 1>);
static_assert(gives<decltype(sum(tensor<f32>{})), f32> && gives<decltype(sum<0>(tensor<f32, 0>{})), f32> &&
              gives<decltype(prod<0>(tensor<f32, 0, 3>{})), f32, 3>);

//=== dtypes: sums of integers in i64, means in f32, extrema as they are, tests bool, indices i64 ===//

template <dtype T> constexpr bool keeps_dtype() {
    return gives<decltype(max<1>(x<T>)), T, N, 4> && gives<decltype(min<1>(x<T>)), T, N, 4> &&
           gives<decltype(any<1>(x<T>)), boolean, N, 4> && gives<decltype(all<1>(x<T>, keepdim)), boolean, N, 1, 4> &&
           gives<decltype(argmax<1>(x<T>)), i64, N, 4> && gives<decltype(argmin(x<T>)), i64> &&
           gives<decltype(min(x<T>, keepdim)), T, 1, 1, 1>;
}
static_assert(keeps_dtype<boolean>() && keeps_dtype<u8>() && keeps_dtype<i64>() && keeps_dtype<f16>() &&
              keeps_dtype<f64>());

template <dtype T, dtype Sum, dtype Mean> constexpr bool accumulates() {
    return gives<decltype(sum<1>(x<T>)), Sum, N, 4> && gives<decltype(prod<1>(x<T>)), Sum, N, 4> &&
           gives<decltype(prod<1>(x<T>, keepdim)), Sum, N, 1, 4> && gives<decltype(mean<1>(x<T>)), Mean, N, 4> &&
           gives<decltype(mean<1>(x<T>, keepdim)), Mean, N, 1, 4> && gives<decltype(var<1>(x<T>)), Mean, N, 4> &&
           gives<decltype(var<1>(x<T>, keepdim)), Mean, N, 1, 4> &&
           gives<decltype(var<1>(x<T>, correction<0>)), Mean, N, 4> &&
           gives<decltype(var<1>(x<T>, keepdim, correction<0>)), Mean, N, 1, 4> &&
           gives<decltype(logsumexp<1>(x<T>)), Mean, N, 4> &&
           gives<decltype(logsumexp(x<T>, keepdim)), Mean, 1, 1, 1> && gives<decltype(softmax(x<T>)), Mean, N, 3, 4> &&
           gives<decltype(log_softmax<0>(x<T>)), Mean, N, 3, 4>;
}
static_assert(accumulates<boolean, i64, f32>() && accumulates<u8, i64, f32>() && accumulates<i32, i64, f32>() &&
              accumulates<i64, i64, f32>());
static_assert(accumulates<f16, f16, f16>() && accumulates<bf16, bf16, bf16>() && accumulates<f32, f32, f32>() &&
              accumulates<f64, f64, f64>());

//=== masks: bit a is axis a; the correction of a variance sits above them ===//

static_assert(reduced_axes<op::reduce_sum, 3>::mask() == 0b111 &&
              reduced_axes<op::reduce_sum, 3, -1>::mask() == 0b100 &&
              reduced_axes<op::reduce_sum, 3, 2, 0>::mask() == 0b101);
static_assert(reduced_axes<op::reduce_sum, 0>::mask() == 0);

//=== what is recorded: a kept reduction, then a reshape that drops the axes ===//

struct sums {
    constexpr auto operator()(tensor<i32, N, 3> a) const { return std::tuple{sum<-1>(a), sum(a, keepdim)}; }
};
constexpr const char* sums_text = "0 input i32[N,3] 'input0'\n"
                                  "1 to_dtype i64[N,3] 0\n"
                                  "2 sum i64[N,1] 1 (2)\n"
                                  "3 reshape i64[N] 2\n"
                                  "4 to_dtype i64[N,3] 0\n"
                                  "5 sum i64[1,1] 4 (3)\n"
                                  "-> 3 5";
static_assert(records<sums>(sums_text));

struct moments {
    constexpr auto operator()(tensor<f32, N, 3> a) const {
        return std::tuple{var<1>(a, keepdim), var<1>(a, keepdim, correction<0>), mean<0>(a, keepdim), softmax<0>(a),
                          log_softmax(a)};
    }
};
static_assert(records<moments>("0 input f32[N,3] 'input0'\n"
                               "1 var f32[N,1] 0 (258)\n"
                               "2 var f32[N,1] 0 (2)\n"
                               "3 mean f32[1,3] 0 (1)\n"
                               "4 softmax f32[N,3] 0 (1)\n"
                               "5 log_softmax f32[N,3] 0 (2)\n"
                               "-> 1 2 3 4 5"));

} // namespace

TEST_CASE("reductions keep their axes until a reshape drops them") { CHECK(recording<sums>() == sums_text); }

TEST_CASE("every reduction records its own operation") {
    trace t;
    const auto a = detail::record<tensor<f32, 2, 3>>(t, op::input);
    const auto code = [&](auto y) { return t.recorded().nodes[y.id].code; };
    CHECK(code(sum<1>(a, keepdim)) == op::reduce_sum);
    CHECK(code(prod<1>(a, keepdim)) == op::reduce_prod);
    CHECK(code(max<1>(a, keepdim)) == op::reduce_max);
    CHECK(code(min<1>(a, keepdim)) == op::reduce_min);
    CHECK(code(any<1>(a, keepdim)) == op::reduce_any);
    CHECK(code(all<1>(a, keepdim)) == op::reduce_all);
    CHECK(code(argmax<1>(a, keepdim)) == op::reduce_argmax);
    CHECK(code(argmin<1>(a, keepdim)) == op::reduce_argmin);
    CHECK(code(mean<1>(a, keepdim)) == op::mean);
    CHECK(code(var<1>(a, keepdim)) == op::var);
    CHECK(code(logsumexp<1>(a, keepdim)) == op::logsumexp);
    CHECK(code(softmax<1>(a)) == op::softmax);
    CHECK(code(log_softmax<1>(a)) == op::log_softmax);
}
