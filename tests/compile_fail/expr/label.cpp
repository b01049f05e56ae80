// A label of more than 63 characters.
// code: E031
// expect: static assertion failed.*toroid E031: named: a label of Model has Number characters, more than 63
// expect: traced_model<model, .*, 70>

#include <toroid/toroid.hpp>

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
static_assert(program<model>::output_count > 0);
