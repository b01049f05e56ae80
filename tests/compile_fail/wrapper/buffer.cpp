// One tensor of 2^62 elements of eight bytes.
// code: E037
// expect: static assertion failed.*toroid E037: arena overflow: the arena of Program, or one buffer of it
// expect: lowered_program<.*program<model.*true>

#include <toroid/toroid.hpp>

using namespace toroid;

inline constexpr dim n = std::int64_t{1} << 31;

struct model {
#ifdef TOROID_GOOD
    constexpr auto operator()(tensor<f32, n, n / 4> x) const { return exp(x); }
#else
    constexpr auto operator()(tensor<f64, n, n> x) const { return exp(x); }
#endif
};
static_assert(program<model>::output_count > 0);
