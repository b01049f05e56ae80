// A truth value has no negative.
// expect: static assertion failed.*dtype: operation Op does not take operands of dtype Type
// expect: operand_dtype<.*op::neg, .*bool_>

#include <toroid/expr/expr.hpp>

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
static_assert(trace_model<model>().recorded().nodes.size() > 0);
