// minimum and maximum: order of zeros, NaN, infinities.

#include <toroid/ops/math/extrema.hpp>

#include "accuracy.hpp"

namespace math = toroid::math;
using namespace test_math;

//=== zeros are ordered ===//

static_assert(same(math::maximum(-0.0f, 0.0f), 0.0f) && same(math::maximum(0.0f, -0.0f), 0.0f));
static_assert(same(math::minimum(-0.0, 0.0), -0.0) && same(math::minimum(0.0, -0.0), -0.0));
static_assert(same(math::maximum(-0.0f, -0.0f), -0.0f) && same(math::minimum(0.0f, 0.0f), 0.0f));

//=== NaN propagates from either side ===//

static_assert(same(math::maximum(nan32, 1.0f), nan32) && same(math::maximum(1.0f, nan32), nan32));
static_assert(same(math::minimum(nan64, -infinity64), nan64) && same(math::minimum(-infinity64, nan64), nan64));

static_assert(same(math::maximum(-2.0f, -3.0f), -2.0f) && same(math::minimum(-2.0, -3.0), -3.0));
static_assert(same(math::maximum(infinity32, 1.0f), infinity32) && same(math::minimum(-infinity64, 1.0), -infinity64));

namespace {
template <typename Float> int differences(const Float* values, int count) {
    int different = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            const Float a = values[i], b = values[j];
            const bool unordered = std::isnan(a) || std::isnan(b);
            const bool a_first = a < b || (a == b && std::signbit(a));
            const Float larger = unordered ? std::numeric_limits<Float>::quiet_NaN() : a_first ? b : a;
            const Float smaller = unordered ? std::numeric_limits<Float>::quiet_NaN() : a_first ? a : b;
            different += !same(math::maximum(a, b), larger);
            different += !same(math::minimum(a, b), smaller);
        }
    return different;
}
} // namespace

TEST_CASE("minimum and maximum at run time, for all pairs of special values") {
    const float values32[] = {0.0f,  -0.0f,  1e-45f,     -1e-45f,     1.0f,  -1.0f,
                              3e38f, -3e38f, infinity32, -infinity32, nan32, -nan32};
    const double values64[] = {0.0,   -0.0,   5e-324,     -5e-324,     1.0,   -1.0,
                               1e308, -1e308, infinity64, -infinity64, nan64, -nan64};
    CHECK(differences(values32, 12) == 0);
    CHECK(differences(values64, 12) == 0);
}
