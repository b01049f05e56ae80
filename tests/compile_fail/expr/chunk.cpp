// Parts that are not equal.
// expect: static assertion failed.*chunk: Count does not divide the extent

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return chunk<1, 3>(x);
#else
        return chunk<1, 4>(x);
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
