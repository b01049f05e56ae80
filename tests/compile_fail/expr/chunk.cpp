// Parts that are not equal.
// code: E016
// expect: static assertion failed.*toroid E016: chunk: axis Axis has extent Extent, which Count does not divide
// expect: chunk_extents<1, .*6.*, 4>

#include <toroid/toroid.hpp>

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
static_assert(program<model>::output_count > 0);
