// A tensor that the model makes itself holds nothing: the second output is never computed.
// code: E028
// expect: static assertion failed.*toroid E028: program: output number Number of Model is not produced
// expect: traced_model<model, .*, 1>

#include <toroid/toroid.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4> x) const {
#ifdef TOROID_GOOD
        const auto maximum = max(x);
        return std::tuple(exp(x), maximum);
#else
        const tensor<f32> maximum;
        return std::tuple(exp(x), maximum);
#endif
    }
};
static_assert(program<model>::output_count > 0);
