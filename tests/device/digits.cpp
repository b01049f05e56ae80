// The digits example on the CPU (digits.hpp).

#include "digits.hpp"

#include "../../examples/digits/model.hpp"

namespace toroid::tests {

array<f32> digits_on_cpu(const array<u8>& images) {
    cpu::executor<digits::classifier> run(
        load<digits::classifier>(TOROID_SOURCE_DIR "/examples/digits/weights.safetensors"));
    return run(images);
}

} // namespace toroid::tests
