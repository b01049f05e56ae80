// A truth value has no negative.
// code: E023
// expect: static assertion failed.*dtype: operation Op does not take operands of dtype Type
// expect: operand_dtype<.*op::neg, .*bool_>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<boolean, 4> x) const {
#ifdef TOROID_GOOD
        return !x;
#else
        return -x;
#endif
    }
};
static_assert(program<model>::output_count > 0);
