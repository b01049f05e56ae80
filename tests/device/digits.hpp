#pragma once
// The digits example on the CPU, for comparison: digits.cpp is compiled by the host compiler, digits.cu by nvcc.

#include <toroid/storage/array.hpp>
#include <toroid/storage/safetensors.hpp>

namespace toroid::tests {

/// Probabilities [N, 10] of the example's weights on the CPU.
array<f32> digits_on_cpu(const array<u8>& images);

} // namespace toroid::tests
