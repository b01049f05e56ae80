// Two intermediates of 2^62 bytes live at one time.
// code: E037
// expect: static assertion failed.*toroid E037: arena overflow: the arena of Program, or one buffer of it
// expect: lowered_program<.*program<model.*true>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr dim n = std::int64_t{1} << 30;

struct model {
    constexpr auto operator()(tensor<f32, n, n> x) const {
#ifdef TOROID_GOOD
        return sum(matmul(x, x));
#else
        return sum(matmul(matmul(x, x), matmul(x, x + 1)));
#endif
    }
};
static_assert(program<model>::output_count > 0);
