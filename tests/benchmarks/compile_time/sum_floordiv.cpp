// Arithmetic of extents: checks of floor-divided sums of symbols, and slices whose extents are such floors.

#include <utility>

#include "device.hpp"

namespace {

using namespace toroid;

constexpr auto B = symbol('B');
constexpr auto S = symbol('S');
constexpr int checks = 100;

struct sum_floordiv {
    template <int... I> static constexpr auto total(expression auto x, std::integer_sequence<int, I...>) {
        return (sum(slice<0, I, to_end, 2>(reshape<B * S>(x))) + ...);
    }
    constexpr auto operator()(tensor<f32, B, S> x) const {
        dim sizes = 0;
        for (int i = 1; i <= checks; ++i) {
            sizes = sizes + B + i * S;
            x.trace().check(floor_div(sizes, i + 1) <= 4096 * i);
        }
        return total(x, std::make_integer_sequence<int, 20>{});
    }
};

static_assert(plan_of<sum_floordiv>::traced.sizes.guards >= checks);
static_assert(plan_of<sum_floordiv>::kernel_count() > 0);

} // namespace

device::array<f32> call(const device::array<f32>& x) { return run<sum_floordiv>(x); }
