// Wrap-around arithmetic: the result is the exact one modulo 2^n, for every pair of bytes and at every limit.

#include <toroid/ops/wrap.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using toroid::detail::wrap_add;
using toroid::detail::wrap_mul;
using toroid::detail::wrap_sub;

namespace {

template <class T> constexpr T low = std::numeric_limits<T>::min();
template <class T> constexpr T high = std::numeric_limits<T>::max();

//=== no overflow is undefined: constant evaluation would reject it ===//

template <class T> constexpr bool wraps_at_the_limits() {
    return wrap_add(high<T>, T(1)) == low<T> && wrap_sub(low<T>, T(1)) == high<T> &&
           wrap_add(high<T>, high<T>) == T(-2) &&
           wrap_mul(low<T>, T(-1)) == (low<T> == T(0) ? T(0) : low<T>)&&wrap_mul(high<T>, high<T>) == T(1) &&
           wrap_mul(low<T>, low<T>) == T(0) && wrap_sub(T(0), low<T>) == low<T>;
}
static_assert(wraps_at_the_limits<std::int8_t>() && wraps_at_the_limits<std::int16_t>());
static_assert(wraps_at_the_limits<std::int32_t>() && wraps_at_the_limits<std::int64_t>());
static_assert(wraps_at_the_limits<std::uint8_t>() && wraps_at_the_limits<std::uint16_t>());

// 0xffff * 0xffff overflows int after integral promotion.
static_assert(wrap_mul(std::uint16_t{0xffff}, std::uint16_t{0xffff}) == 1);
static_assert(wrap_mul(std::int16_t{-0x7fff}, std::int16_t{0x7fff}) == -1);

template <class T> int wrong_bytes() {
    int wrong = 0;
    for (int i = low<T>; i <= high<T>; ++i)
        for (int j = low<T>; j <= high<T>; ++j) {
            const T a = static_cast<T>(i);
            const T b = static_cast<T>(j);
            wrong += ((wrap_add(a, b) - (i + j)) & 0xff) != 0;
            wrong += ((wrap_sub(a, b) - (i - j)) & 0xff) != 0;
            wrong += ((wrap_mul(a, b) - i * j) & 0xff) != 0;
        }
    return wrong;
}

} // namespace

TEST_CASE("every pair of bytes") {
    CHECK(wrong_bytes<std::int8_t>() == 0);
    CHECK(wrong_bytes<std::uint8_t>() == 0);
}
