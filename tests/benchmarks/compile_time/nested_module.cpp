// Modules in modules, four of the next depth in each: 85 linear layers with paths such as parts.3.parts.0.inner.weight.

#include <array>

#include "device.hpp"

namespace {

using namespace toroid;

constexpr auto B = symbol('B');
constexpr int width = 4;

template <int Depth> struct nested {
    using parts_type = std::array<nested<Depth - 1>, width>;
    BOOST_HANA_DEFINE_STRUCT(nested, (parts_type, parts), (nn::linear<16, 16>, inner));

    constexpr auto operator()(expression auto x) const {
        for (const auto& part : parts) x = part(x);
        return relu(inner(x)) + x;
    }
};
template <> struct nested<0> {
    BOOST_HANA_DEFINE_STRUCT(nested<0>, (nn::linear<16, 16>, inner));

    constexpr auto operator()(expression auto x) const { return relu(inner(x)); }
};

struct nested_module {
    BOOST_HANA_DEFINE_STRUCT(nested_module, (nested<3>, top));

    constexpr auto operator()(tensor<f32, B, 16> x) const { return top(x); }
};

static_assert(plan_of<nested_module>::extern_count() == 85);
static_assert(plan_of<nested_module>::kernel_count() == 85);

} // namespace

device::array<f32> call(const device::array<f32>& x) { return run<nested_module>(x); }
