// Tensors of more than 2^31 elements: addresses take 64 bits, and nothing else does.

#include <doctest/doctest.h>

#include <toroid/cuda.hpp>

namespace toroid::tests {
namespace large {

inline constexpr std::int64_t elements = (std::int64_t{1} << 31) + 4096;
inline constexpr auto N = symbol('N');

struct increment {
    constexpr auto operator()(tensor<u8, elements> x) const { return x + 1; }
};
struct total {
    constexpr auto operator()(tensor<u8, elements> x) const { return sum(to_dtype<i64>(x)); }
};
struct small {
    constexpr auto operator()(tensor<u8, 4096> x) const { return x + 1; }
};
struct unbounded {
    constexpr auto operator()(tensor<u8, N> x) const { return x + 1; }
};
struct bounded {
    constexpr auto operator()(tensor<u8, N> x) const {
        x.trace().check(N <= 1 << 20);
        return x + 1;
    }
};
template <class Model> inline constexpr bool is_wide = cuda::plan_of<program<Model, targets::sm_90>, 0>.wide;
static_assert(is_wide<increment> && is_wide<total> && is_wide<unbounded>);
static_assert(!is_wide<small> && !is_wide<bounded>);

} // namespace large

TEST_CASE("more than 2^31 elements (long)") {
    cuda::array<u8> x({large::elements});
    const array<u8> mark({2}, {7, 200});
    // The last two elements, and the two where 32 bits end.
    const auto part = [](auto& array, std::int64_t at) { return cuda::mutable_array_view<u8>(array.data() + at, {2}); };
    const std::int64_t places[] = {0, (std::int64_t{1} << 31) - 1, large::elements - 2};
    for (const std::int64_t at : places) cuda::copy(mark.view(), part(x, at));

    cuda::executor<large::increment, targets::sm_90> add_one;
    const cuda::array<u8> y = add_one(x);
    for (const std::int64_t at : places) {
        const array<u8> got = cuda::copy_to_host(cuda::array_view<u8>(y.data() + at, {2}));
        CHECK(got(0) == 8);
        CHECK(got(1) == 201);
    }
    cuda::executor<large::total, targets::sm_90> add_up;
    CHECK(cuda::copy_to_host(add_up(x).view()).at({}) == 3 * 207);
    CHECK(cuda::copy_to_host(add_up(y).view()).at({}) == 3 * 207 + large::elements);
}

} // namespace toroid::tests
