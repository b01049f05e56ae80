// The expression type: its facts, labels, casts, and what happens without a trace.

#include <toroid/expr/tensor.hpp>

#include <doctest/doctest.h>

#include "recording.hpp"

using namespace toroid;
using test_expr::constant;
using test_expr::gives;

namespace {

constexpr dim N = symbol('N');
using image = tensor<f32, N, 3, 8>;

//=== facts of the type ===//

static_assert(image::type == f32 && image::rank == 3 && image::extent(0) == N && image::extent(-1) == dim(8) &&
              image::extent(-3) == N);
static_assert(tensor<i64>::rank == 0 && tensor<i64>::extents.numel() == dim(1) && image::extents.numel() == 24 * N);
static_assert(!std::is_same_v<tensor<f32, 2 * N>, tensor<f32, N>> &&
              std::is_same_v<tensor<f32, N + N>, tensor<f32, 2 * N>>);
static_assert(std::is_trivially_copyable_v<image> && sizeof(image) <= 16);

//=== concepts ===//

static_assert(expression<image> && expression<const image&> && !expression<float> && !expression<dim> &&
              is_tensor<image>::value);
static_assert(scalar<float> && scalar<bool> && scalar<const int&> && !scalar<image> && !scalar<const char*>);

//=== casts ===//

constexpr image unbound;
static_assert(gives<decltype(to_dtype<f16>(unbound)), f16, N, 3, 8> &&
              gives<decltype(to_dtype<f32>(unbound)), f32, N, 3, 8>);

struct casts {
    constexpr auto operator()(tensor<f32, N> x) const {
        return to_dtype<f32>(named(to_dtype<i32>(to_dtype<f32>(x)), "cut"));
    }
};
static_assert(test_expr::records<casts>("0 input f32[N] 'input0'\n"
                                        "1 to_dtype i32[N] 0 'cut'\n" // the same dtype records nothing
                                        "2 to_dtype f32[N] 1\n"
                                        "-> 2"));

//=== a constant's payload is a number of its dtype's category ===//

using detail::constant_payload;
static_assert(constant_payload(f32, 1.5) == std::bit_cast<std::int64_t>(1.5) &&
              constant_payload(f64, 3) == std::bit_cast<std::int64_t>(3.0));
static_assert(constant_payload(i32, -2.9) == -2 && constant_payload(boolean, 0.5) == 1 &&
              constant_payload(boolean, 7) == 1 && constant_payload(boolean, 0) == 0);
static_assert(constant_payload(i64, std::int64_t{9007199254740993}) == 9007199254740993);

} // namespace

TEST_CASE("an expression without a trace cannot compute") {
    CHECK_THROWS_WITH_AS(static_cast<void>(unbound.trace()),
                         "toroid E025: tensor is not bound to a trace use model members and arguments only",
                         std::logic_error);
    CHECK_FALSE(constant<[] { return &image{}.trace(); }>);
    CHECK_FALSE(constant<[] { return to_dtype<f16>(image{}); }>);
}

TEST_CASE("the last label of a node counts, and a label may be as long as 63 characters") {
    trace t;
    const auto x = detail::record<image>(t, op::input);
    named(named(x, "first"), "second");
    CHECK(std::string(t.recorded().view().label_of(x.id)) == "second");
    CHECK_NOTHROW(named(x, std::string(63, 'a').c_str()));
    CHECK_THROWS_AS(named(x, std::string(64, 'a').c_str()), std::logic_error);
}

TEST_CASE("a constant of a small integer dtype holds a number of that dtype") {
    CHECK(constant_payload(u8, 300) == 44);
    CHECK(constant_payload(u8, -1) == 255);
    CHECK(constant_payload(i8, 200) == -56);
    CHECK(constant_payload(i32, std::int64_t{1} << 32) == 0);
}
