// Two floors by different divisors have no common form.
// code: E006
// first note: Clang NVIDIA
// expect: toroid_E006_dim_leaves_the_form_offset_plus_scale_times_floor_of_two_monomials_over_a_divisor

#include <toroid/core/dim.hpp>

using namespace toroid;

inline constexpr auto n = symbol('N');
#ifdef TOROID_GOOD
inline constexpr auto halves = n / 2 + n / 2;
#else
inline constexpr auto halves = n / 2 + n / 3;
#endif
