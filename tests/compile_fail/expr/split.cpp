// Parts that do not add up to the whole.
// code: E016
// expect: static assertion failed.*toroid E016: split: the sizes add up to Total, but axis Axis has extent Extent
// expect: split_extents<1, .*6.*5

#include <toroid/toroid.hpp>

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
static_assert(program<model>::output_count > 0);
