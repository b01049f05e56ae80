// Parts that do not add up to the whole.
// expect: static assertion failed.*split: the sizes do not add up to the extent

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return std::get<0>(split<1, 2, 4>(x));
#else
        return std::get<0>(split<1, 2, 3>(x));
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
