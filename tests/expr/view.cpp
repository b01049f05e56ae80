// Views: extents of every one, NumPy's slice rules on constants and their checks on symbols, joining and splitting.

#include <toroid/expr/view.hpp>

#include <array>
#include <tuple>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::gives;
using test_expr::recording;
using test_expr::records;

namespace {

constexpr dim B = symbol('B');
constexpr dim N = symbol('N');
constexpr dim M = symbol('M');
constexpr tensor<f32, 2, 3, 4> x;
constexpr tensor<f32, B, N, 8> y;

//=== reshape: one extent may follow from the others ===//

static_assert(gives<decltype(reshape<24>(x)), f32, 24> && gives<decltype(reshape<4, 6>(x)), f32, 4, 6> &&
              gives<decltype(reshape<-1, 4>(x)), f32, 6, 4>);
static_assert(gives<decltype(reshape<2, -1, 2>(x)), f32, 2, 6, 2> &&
              gives<decltype(reshape<B, -1>(y)), f32, B, 8 * N> && gives<decltype(reshape<-1, 8>(y)), f32, B * N, 8>);
static_assert(gives<decltype(reshape<B, N, 2, 4>(y)), f32, B, N, 2, 4> &&
              gives<decltype(reshape<8 * N, -1>(y)), f32, 8 * N, B>);
static_assert(gives<decltype(reshape<>(tensor<f32, 1, 1>{})), f32> &&
              gives<decltype(reshape<1, 1>(tensor<f32>{})), f32, 1, 1> &&
              gives<decltype(reshape<0>(tensor<f32, 3, 0>{})), f32, 0>);
static_assert(gives<decltype(flatten(x)), f32, 24> && gives<decltype(flatten(y)), f32, 8 * B * N> &&
              gives<decltype(flatten(tensor<f32>{})), f32, 1>);

//=== axes ===//

static_assert(gives<decltype(permute<2, 0, 1>(x)), f32, 4, 2, 3> &&
              gives<decltype(permute<-1, 0, 1>(y)), f32, 8, B, N> && gives<decltype(permute<>(tensor<f32>{})), f32>);
static_assert(gives<decltype(transpose(x)), f32, 2, 4, 3> && gives<decltype(transpose<0, -1>(y)), f32, 8, N, B> &&
              gives<decltype(transpose<1, 1>(x)), f32, 2, 3, 4>);
static_assert(gives<decltype(unsqueeze<0>(x)), f32, 1, 2, 3, 4> && gives<decltype(unsqueeze<-1>(x)), f32, 2, 3, 4, 1> &&
              gives<decltype(unsqueeze<3>(x)), f32, 2, 3, 4, 1> &&
              gives<decltype(unsqueeze<0>(tensor<f32>{})), f32, 1>);
static_assert(gives<decltype(squeeze<1>(tensor<f32, 2, 1, 3>{})), f32, 2, 3> &&
              gives<decltype(squeeze<-3>(tensor<f32, 1, N, 3>{})), f32, N, 3> &&
              gives<decltype(squeeze<0>(tensor<f32, 1>{})), f32>);
static_assert(gives<decltype(expand<5, 2, 3, 4>(x)), f32, 5, 2, 3, 4> &&
              gives<decltype(expand<B, 3>(tensor<f32, 3>{})), f32, B, 3> &&
              gives<decltype(expand<2, N>(tensor<f32, 2, 1>{})), f32, 2, N> &&
              gives<decltype(expand<>(tensor<f32>{})), f32>);

// The checked class answers without an error.
static_assert(permutation<3, 2, 0, 1>::value && permutation<2, -1, -2>::value && reshape_elements<6 * N, N * 6>::value);

//=== slices of constant extents clamp as NumPy does ===//

template <dim Start, dim Stop, std::int64_t Step = 1>
using cut = decltype(slice<0, Start, Stop, Step>(tensor<f32, 10>{}));
static_assert(gives<cut<2, 5>, f32, 3> && gives<cut<2, to_end>, f32, 8> && gives<cut<to_end, 4>, f32, 4> &&
              gives<cut<-3, to_end>, f32, 3>);
static_assert(gives<cut<0, -1>, f32, 9> && gives<cut<-4, -2>, f32, 2> && gives<cut<0, 100>, f32, 10> &&
              gives<cut<-100, 3>, f32, 3>);
static_assert(gives<cut<5, 2>, f32, 0> && gives<cut<10, 20>, f32, 0> && gives<cut<3, 3>, f32, 0> &&
              gives<cut<20, to_end>, f32, 0>);
static_assert(gives<cut<0, 10, 3>, f32, 4> && gives<cut<1, 9, 3>, f32, 3> && gives<cut<0, 1, 7>, f32, 1> &&
              gives<cut<-1, to_end, 2>, f32, 1>);
static_assert(gives<cut<to_end, to_end, -1>, f32, 10> && gives<cut<8, 2, -2>, f32, 3> &&
              gives<cut<100, 3, -1>, f32, 6> && gives<cut<2, 8, -1>, f32, 0>);
static_assert(gives<cut<-2, 0, -3>, f32, 3> && gives<cut<to_end, -4, -1>, f32, 3> &&
              gives<cut<0, to_end, -1>, f32, 1> && gives<cut<3, -100, -1>, f32, 4>);
static_assert(gives<decltype(slice<-1, 1, 3>(x)), f32, 2, 3, 2> && gives<decltype(flip<1>(x)), f32, 2, 3, 4>);

// First indices: NumPy's, too.
using detail::resolve_slice;
static_assert(resolve_slice(10, -4, to_end, 1).start == dim(6) &&
              resolve_slice(10, to_end, to_end, -1).start == dim(9) && resolve_slice(10, -100, 5, 1).start == dim(0));
static_assert(resolve_slice(10, 100, 3, -1).start == dim(9) && resolve_slice(10, -2, 0, -3).start == dim(8));

//=== slices of symbolic extents keep the form ===//

static_assert(gives<decltype(slice<1, 2, 6>(y)), f32, B, 4, 8> && gives<decltype(slice<1, 2>(y)), f32, B, N - 2, 8> &&
              gives<decltype(slice<1, -3>(y)), f32, B, 3, 8>);
static_assert(gives<decltype(slice<1, 0, to_end, 2>(y)), f32, B, (N + 1) / 2, 8> &&
              gives<decltype(flip<0>(y)), f32, B, N, 8> && gives<decltype(slice<1, 1, -1>(y)), f32, B, N - 2, 8>);
static_assert(gives<decltype(slice<0, M, M + 4>(tensor<f32, N>{})), f32, 4> &&
              gives<decltype(slice<0, 0, N>(tensor<f32, N>{})), f32, N>);

template <dim Start, dim Stop, std::int64_t Step = 1> constexpr bool checks(condition expected) {
    trace t;
    const auto a = detail::record<tensor<f32, N>>(t, op::input);
    slice<0, Start, Stop, Step>(a);
    const growable<guard>& guards = t.recorded().guards;
    return guards.size() == 1 && guards[0] == guard{expected.kind, false, expected.lhs, expected.rhs};
}
template <dim Start, dim Stop, std::int64_t Step = 1> constexpr bool checks_nothing() {
    trace t;
    const auto a = detail::record<tensor<f32, N>>(t, op::input);
    slice<0, Start, Stop, Step>(a);
    return t.recorded().guards.empty();
}
static_assert(checks<2, 6>(6 <= N) && checks<2, to_end>(2 <= N) && checks<-3, to_end>(3 <= N) &&
              checks<to_end, 5>(5 <= N));
static_assert(checks_nothing<0, to_end>() && checks_nothing<to_end, to_end, -1>() && checks_nothing<0, to_end, 3>());
static_assert(checks<M, M + 4>(M + 4 <= N) && checks<5, to_end, -1>(6 <= N));

//=== concat, stack ===//

static_assert(gives<decltype(concat<0>(x, x)), f32, 4, 3, 4> &&
              gives<decltype(concat<-1>(x, tensor<f32, 2, 3, 1>{})), f32, 2, 3, 5> &&
              gives<decltype(concat<0>(x)), f32, 2, 3, 4>);
static_assert(gives<decltype(concat<0>(tensor<f16, B, 3>{}, tensor<bf16, N, 3>{})), f32, B + N, 3> &&
              gives<decltype(concat<0>(tensor<i8, 1>{}, tensor<u8, 2>{}, tensor<i8, 3>{})), i16, 6>);
static_assert(gives<decltype(stack<0>(x, x, x)), f32, 3, 2, 3, 4> &&
              gives<decltype(stack<-1>(x, x)), f32, 2, 3, 4, 2> &&
              gives<decltype(stack<0>(tensor<f32>{}, tensor<f32>{})), f32, 2>);

//=== split, chunk ===//

static_assert(std::is_same_v<decltype(split<1, 1, 2>(x)), std::tuple<tensor<f32, 2, 1, 4>, tensor<f32, 2, 2, 4>>>);
static_assert(std::is_same_v<decltype(split<0, B, N>(tensor<f32, B + N, 2>{})),
                             std::tuple<tensor<f32, B, 2>, tensor<f32, N, 2>>>);
static_assert(std::is_same_v<decltype(chunk<2, 2>(x)), std::array<tensor<f32, 2, 3, 2>, 2>> &&
              std::is_same_v<decltype(chunk<0, 4>(tensor<f32, 8 * N>{})), std::array<tensor<f32, 2 * N>, 4>>);

//=== what is recorded: views that change nothing record nothing ===//

struct unchanged {
    constexpr auto operator()(tensor<f32, 2, N> a) const {
        return reshape<2, -1>(expand<2, N>(slice<0, 0>(slice<0, -100, 100>(concat<1>(std::get<0>(split<0, 2>(a)))))));
    }
};

struct viewed {
    constexpr auto operator()(tensor<f32, N, 6> a) const {
        return std::tuple{transpose(a), flip<0>(a), slice<1, 1, -1, 2>(a), reshape<-1, 3>(a)};
    }
};
constexpr const char* viewed_text = "0 input f32[N,6] 'input0'\n"
                                    "1 permute f32[6,N] 0 (10)\n"
                                    "2 slice f32[N,6] 0 (0 from N-1 step -1)\n"
                                    "3 slice f32[N,2] 0 (1 from 1 step 2)\n"
                                    "4 reshape f32[2N,3] 0\n"
                                    "-> 1 2 3 4";
static_assert(records<viewed>(viewed_text));

struct joined {
    constexpr auto operator()(tensor<i32, 2> a, tensor<f32, N> b) const { return concat<0>(a, b, b); }
};
static_assert(records<joined>("0 input i32[2] 'input0'\n"
                              "1 input f32[N] 'input1'\n"
                              "2 to_dtype f32[2] 0\n"
                              "3 concat f32[N+2] 2 1\n"
                              "4 concat f32[2N+2] 3 1\n"
                              "-> 4"));

struct chunked {
    constexpr auto operator()(tensor<f32, 4 * N, 2> a) const { return chunk<0, 2>(a); }
};
static_assert(records<chunked>("0 input f32[4N,2] 'input0'\n"
                               "1 slice f32[2N,2] 0 (0 from 0 step 1)\n"
                               "2 slice f32[2N,2] 0 (0 from 2N step 1)\n"
                               "-> 1 2")); // and no checks: 4*N is a multiple of two

//=== with_extents: a fact about symbols, as checks and a new type ===//

struct retyped {
    constexpr auto operator()(tensor<f32, N, M> a) const { return with_extents<64, M>(a); }
};
static_assert(records<retyped>("0 input f32[N,M] 'input0'\n"
                               "1 reshape f32[64,M] 0\n"
                               "-> 1"));
static_assert(gives<decltype(with_extents<B, M>(tensor<f32, N, M>{})), f32, B, M>);

constexpr bool guards_new_extents() {
    const trace t = trace_model<retyped>();
    const growable<guard>& guards = t.recorded().guards;
    return guards.size() == 1 && guards[0] == guard{guard_kind::equals, false, N, 64};
}
static_assert(guards_new_extents());

/// Number of elements that NumPy's `range(n)[start:stop:step]` has, by definition.
std::int64_t numpy_length(std::int64_t n, std::int64_t start, std::int64_t stop, std::int64_t step,
                          std::int64_t& first) {
    if (start < 0) start += n;
    if (stop < 0) stop += n;
    std::int64_t count = 0;
    first = -1;
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? n : n - 1;
    start = start < low ? low : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        if (count++ == 0) first = i;
    }
    return count;
}

} // namespace

/// Do the checks of a slice pass for these symbol values?
static bool holds(const detail::slice_bounds& s, const symbol_values& at) {
    for (int i = 0; i < s.check_count; ++i)
        if (s.lower[i].evaluate(at) > s.upper[i].evaluate(at)) return false;
    return true;
}

TEST_CASE("views that change nothing record nothing") {
    CHECK(recording<unchanged>() == "0 input f32[2,N] 'input0'\n-> 0");
}

TEST_CASE("views record their maps") { CHECK(recording<viewed>() == viewed_text); }

TEST_CASE("slices of constant extents: every bound and step against NumPy's rule") {
    int wrong = 0;
    for (std::int64_t n = 0; n <= 5; ++n)
        for (std::int64_t start = -8; start <= 8; ++start)
            for (std::int64_t stop = -8; stop <= 8; ++stop)
                for (const std::int64_t step : {-3, -2, -1, 1, 2, 3}) {
                    std::int64_t first = 0;
                    const std::int64_t length = numpy_length(n, start, stop, step, first);
                    const detail::slice_bounds got = resolve_slice(dim(n), dim(start), dim(stop), step);
                    wrong += !got.length.is(length) || got.check_count != 0;
                    wrong += length > 0 && !got.start.is(first);
                }
    CHECK(wrong == 0);
}

TEST_CASE("slices of a symbolic extent: where the checks pass, no length is negative and no index outside") {
    // The same slice by symbol and then evaluated, for every extent: either its check fails, or it is NumPy's slice.
    int negative = 0;
    int different = 0;
    for (std::int64_t start = -4; start <= 4; ++start)
        for (std::int64_t stop = -4; stop <= 4; ++stop)
            for (const std::int64_t step : {-2, -1, 1, 2}) {
                const detail::slice_bounds s = resolve_slice(N, dim(start), dim(stop), step);
                for (std::int64_t n = 0; n <= 10; ++n) {
                    const symbol_values at = {{'N', n}};
                    if (!holds(s, at)) continue;
                    std::int64_t first = 0;
                    const std::int64_t length = numpy_length(n, start, stop, step, first);
                    const std::int64_t got = s.length.evaluate(at);
                    negative += got < 0;
                    different += got >= 0 && (got != length || (length > 0 && s.start.evaluate(at) != first));
                }
            }
    CHECK(negative == 0);
    CHECK(different == 0);
}

TEST_CASE("a slice whose end lies before its start is empty on a symbolic extent, too") {
    CHECK(resolve_slice(N, 5, 3, 1).length == dim(0));
    CHECK_FALSE(checks_nothing<0, -3>()); // N - 3 elements
    CHECK_FALSE(checks_nothing<2, -1>());
}

TEST_CASE("a symbolic bound of a constant extent is not taken for a number") {
    // 8 elements, from N to N + 2: starts at N and is guarded by N + 2 <= 8.
    const detail::slice_bounds s = resolve_slice(8, N, N + 2, 1);
    CHECK(s.start == N);
    CHECK(s.length == dim(2));
    CHECK(s.check_count > 0);
    CHECK(holds(s, {{'N', 6}}));
    CHECK_FALSE(holds(s, {{'N', 7}}));
}

TEST_CASE("a reshape splits a sum of symbols off a product with it") {
    // [B, N + M] as B*N + B*M elements and back.
    CHECK(detail::inferred_shape<B * N + B * M, -1, N + M>::value == shape{2, {B, N + M}});
}
