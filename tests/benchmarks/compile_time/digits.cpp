// The classifier of examples/digits with its contract.

#include "device.hpp"

#include "../../../examples/digits/model.hpp"

device::array<toroid::f32> call(const device::array<toroid::u8>& images) { return run<digits::classifier>(images); }
