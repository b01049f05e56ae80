// The outputs have the names of the members of the result.
// code: E032
// expect: static assertion failed.*toroid E032: outputs: the model's result has no member of this name

#include <toroid/toroid.hpp>

using namespace toroid;

struct prediction {
    BOOST_HANA_DEFINE_STRUCT(prediction, (tensor<f32, 10>, scores), (tensor<i64>, digit));
};
inline array<i64> digit_of(outputs_t<prediction>& outputs) {
#ifdef TOROID_GOOD
    return outputs.get<"digit">();
#else
    return outputs.get<"label">();
#endif
}
