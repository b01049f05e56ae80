// A model of one's own: twelve residual layers as a std::array, visited by an ordinary loop.

#include <array>
#include <cmath>
#include <cstdio>

#include <toroid/toroid.hpp>

namespace {

using namespace toroid;

constexpr auto B = symbol('B');
constexpr int width = 32;

struct block {
    BOOST_HANA_DEFINE_STRUCT(block, (nn::linear<width, 2 * width>, up), (nn::linear<2 * width, width>, down));

    constexpr auto operator()(expression auto x) const { return x + down(gelu(up(x))); }
};

struct residual_mlp {
    BOOST_HANA_DEFINE_STRUCT(residual_mlp, (std::array<block, 12>, blocks));

    constexpr auto operator()(tensor<f32, B, width> x) const {
        auto h = x;
        for (const block& b : blocks) h = b(h);
        return h;
    }
};

using net = program<residual_mlp>;

// Equal layers are one kernel definition, launched twelve times: gelu behind `up`, the residual sum behind `down`.
static_assert(net::kernel_count() == 2 * 12);
static_assert(net::extern_count() == 2 * 12);
static_assert(net::definition_count() == 2);
// Memory does not grow with the depth: two buffers of the larger extent do for all layers.
static_assert(net::arena_bytes({{'B', 64}}) == 64 * (2 * width + 2 * width) * 4);

/// Small numbers that are the same everywhere, for want of a file.
void fill(const weights<residual_mlp>& parameters) {
    for (const parameter_info& info : parameters.parameters()) {
        const auto view = parameters.view<f32>(info.name);
        for (std::int64_t i = 0; i < view.size(); ++i) view.data()[i] = static_cast<float>(i % 13 - 6) / 64;
    }
}

} // namespace

int main() {
    weights<residual_mlp> parameters;
    fill(parameters);
    std::printf("%zu parameters, the last is %s\n", parameters.parameters().size(),
                parameters.parameters().back().name.c_str());

    cpu::executor<residual_mlp> run(parameters);
    array<f32> x({5, width});
    x.fill(1);
    const array<f32> y = run(x);
    std::printf("%d launches of %d kernel definitions and %d matrix products; y(0, 0) = %g\n", net::kernel_count(),
                net::definition_count(), net::extern_count(), y(0, 0));
    return std::isfinite(y(0, 0)) ? 0 : 1;
}
