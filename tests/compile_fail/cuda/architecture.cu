// The default target needs compute capability 9.0; this is compiled for 8.0.
// code: E004
// wrong flags: -gencode arch=compute_80,code=sm_80
// expect: static assertion failed.*toroid E004: cuda: the program's target needs a newer GPU

#include <toroid/cuda.hpp>

struct twice {
    constexpr auto operator()(toroid::tensor<toroid::f32, 64> x) const { return x * 2; }
};

int main() { toroid::cuda::executor<twice> run; }
