// A label of more than 63 characters.
// expect: label_is_longer_than_63_characters

#include <toroid/expr/expr.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4, 6> x) const {
#ifdef TOROID_GOOD
        return named(x, "short");
#else
        return named(x, "a label of sixty-four characters, which is one more than there is room");
#endif
    }
};
static_assert(trace_model<model>().recorded().nodes.size() > 0);
