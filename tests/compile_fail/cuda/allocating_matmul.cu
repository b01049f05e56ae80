// The CUDA backend writes matrix products into planned memory: its targets do not let a library allocate.
// code: E035
// expect: static assertion failed.*toroid E035: cuda: matrix products write into planned memory

#include <toroid/cuda.hpp>

using namespace toroid;

struct target : targets::sm_90 {
    static constexpr target_facts facts = [] {
        target_facts result = targets::sm_90::facts;
#ifdef TOROID_GOOD
        result.extern_allocates = false;
#else
        result.extern_allocates = true;
#endif
        return result;
    }();
};
struct model {
    constexpr auto operator()(tensor<f32, 64, 64> x) const { return sum(matmul(x, x)); }
};

int main() { cuda::executor<model, target> run; }
