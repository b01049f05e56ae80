// Tests of <toroid/reference/symbols.hpp>.

#include <doctest/doctest.h>

#include "support.hpp"

using namespace reference_tests;

namespace {

constexpr dim B = symbol('B');
constexpr dim N = symbol('N');

template <class... X> struct takes {
    constexpr auto operator()(X... x) const { return (sum(x) + ...); }
};

constexpr reference_tensor zeros(std::initializer_list<std::int64_t> extents) {
    growable<std::int64_t> list;
    for (const std::int64_t extent : extents) list.push(extent);
    return zero_reference(f32, list);
}
template <class Model> constexpr symbol_values solved(const growable<reference_tensor>& inputs) {
    const trace t = trace_model<Model>();
    return solve_symbols(t.recorded().view(), inputs, {});
}

//=== symbols are solved from affine extents, in any order ===//

static_assert(solved<takes<tensor<f32, B, 3>>>(references(zeros({7, 3})))['B'] == 7);
static_assert(solved<takes<tensor<f32, 8 * B + 1>>>(references(zeros({17})))['B'] == 2);
static_assert(solved<takes<tensor<f32, B>>>(references(zeros({0})))['B'] == 0);
static_assert(solved<takes<tensor<f32, B * N, 2>, tensor<f32, N>>>(references(zeros({12, 2}), zeros({3})))['B'] == 4);
static_assert(solved<takes<tensor<f32, B + N>, tensor<f32, B>>>(references(zeros({12}), zeros({5})))['N'] == 7);
static_assert(solved<takes<tensor<f32, B / 2>, tensor<f32, B>>>(references(zeros({3}), zeros({7})))['B'] == 7);

struct guarded {
    constexpr auto operator()(tensor<f32, B> x) const {
        x.trace().check(B <= 4);
        x.trace().check(multiple_of(B, 2));
        return sum(x);
    }
};
static_assert(evaluate<guarded>(references(zeros({4})))[0][0] == 0);

/// The code of the error that an evaluation throws.
template <class Model> error_code thrown_by(const growable<reference_tensor>& inputs) {
    try {
        evaluate<Model>(inputs);
    } catch (const error& failure) { return failure.code(); }
    FAIL("no error");
    return {};
}

} // namespace

TEST_CASE("interpreter: inputs that do not fit the model are errors") {
    CHECK(thrown_by<takes<tensor<f32, 3>>>(references(zeros({4}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, 3>>>(references(zeros({3, 1}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f64, 3>>>(references(zeros({3}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, 3>>>({}) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, 8 * B>>>(references(zeros({12}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, B + 4>>>(references(zeros({3}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, B, B>>>(references(zeros({3, 4}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, B * N>>>(references(zeros({12}))) == error_code::invalid_argument);
    CHECK(thrown_by<takes<tensor<f32, B / 2>, tensor<f32, B>>>(references(zeros({4}), zeros({7}))) ==
          error_code::invalid_argument);
}

TEST_CASE("interpreter: a check that fails is an error") {
    CHECK(thrown_by<guarded>(references(zeros({6}))) == error_code::guard_failed);
    CHECK(thrown_by<guarded>(references(zeros({3}))) == error_code::guard_failed);
}
