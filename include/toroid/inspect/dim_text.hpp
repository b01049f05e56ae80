#pragma once
// dim_text: extents, shapes and constants as text, as every listing spells them. Host only; needs fmt.

#include <toroid/backend/listing/dim_text.hpp>

namespace toroid::inspect {

/// "8*B*S + 1", "floor((B + 1)/2)".
using toroid::dim_text;
/// "f32[B, 64]".
using toroid::shape_text;

} // namespace toroid::inspect
