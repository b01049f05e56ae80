// What a project outside of Toroid sees: the umbrella header is found, silent under strict warnings, of the version that
// was asked for, and runs a model.

#include <toroid/toroid.hpp>

static_assert(toroid::version_major == 0 && toroid::version_minor == 1);

namespace {

constexpr auto N = toroid::symbol('N');

struct model {
    constexpr auto operator()(toroid::tensor<toroid::f32, N, 4> x) const { return softmax(x * 2.0f); }
};
static_assert(toroid::expect_kernel_count<toroid::program<model>, 1>);

} // namespace

int main() {
    toroid::cpu::executor<model> run;
    const toroid::array<toroid::f32> y = run(toroid::array<toroid::f32>({3, 4}));
    return y(2, 3) == 0.25f ? 0 : 1;
}
