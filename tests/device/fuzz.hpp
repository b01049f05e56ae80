#pragma once
// Differential tests of random models on the GPU: the executor that tests/fuzz/fuzz.hpp judges is the GPU's.

#include "support.hpp"

#include "../fuzz/fuzz.hpp"

namespace fuzz {

template <class Model> struct executor_of<Model, targets::sm_90> {
    using type = tests::host_executor<Model>;
};
template <class Model, int Level> struct executor_of<Model, targets::with_fusion_level<targets::sm_90, Level>> {
    using type = tests::host_executor<Model, targets::with_fusion_level<targets::sm_90, Level>>;
};

} // namespace fuzz
