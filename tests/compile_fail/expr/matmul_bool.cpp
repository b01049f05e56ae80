// bool operands are not multiplied.
// code: E023
// expect: static assertion failed.*matmul: bool operands are not multiplied

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<boolean, 4, 4> x) const {
#ifdef TOROID_GOOD
        return matmul(to_dtype<f32>(x), to_dtype<f32>(x));
#else
        return matmul(x, x);
#endif
    }
};
static_assert(program<model>::output_count > 0);
