// Must not compile for sm_80: the default target needs sm_90.

#include <toroid/cuda.hpp>

namespace {
struct twice {
    constexpr auto operator()(toroid::tensor<toroid::f32, 64> x) const { return x * 2; }
};
} // namespace

int main() { toroid::cuda::executor<twice> run; }
