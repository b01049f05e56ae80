// The digits example on the GPU: the classes of the CPU for every held-out image, and nearly its probabilities.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "../../examples/digits/model.hpp"
#include "digits.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

using net = program<digits::classifier, targets::sm_90>;
static_assert(net::kernel_count() == digits::net::kernel_count() && net::extern_count() == 2);

std::int64_t class_of(const array<f32>& probabilities, std::int64_t row) {
    const float* const first = probabilities.data() + row * digits::classes;
    return std::max_element(first, first + digits::classes) - first;
}

TEST_CASE("the digits example gives the CPU's classes") {
    const safetensors_file data(TOROID_SOURCE_DIR "/examples/digits/test.safetensors");
    const array<u8> images = data.read<u8>("images");
    const array<u8> labels = data.read<u8>("labels");
    host_executor<digits::classifier> run(
        load<digits::classifier>(TOROID_SOURCE_DIR "/examples/digits/weights.safetensors"));
    const array<f32> got = run(images);
    const array<f32> wanted = digits_on_cpu(images);
    REQUIRE(got.extents() == wanted.extents());
    std::int64_t correct = 0;
    std::int64_t correct_on_cpu = 0;
    double error = 0;
    for (std::int64_t i = 0; i < got.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(got.data()[i]) - wanted.data()[i]));
    for (std::int64_t i = 0; i < labels.size(); ++i) {
        CHECK(class_of(got, i) == class_of(wanted, i));
        correct += class_of(got, i) == labels(i) ? 1 : 0;
        correct_on_cpu += class_of(wanted, i) == labels(i) ? 1 : 0;
    }
    CHECK(error < 1e-5);
    CHECK(correct == correct_on_cpu);
    CHECK(correct > labels.size() * 9 / 10);
}

TEST_CASE("any batch of it gives the same numbers") {
    const safetensors_file data(TOROID_SOURCE_DIR "/examples/digits/test.safetensors");
    const array<u8> images = data.read<u8>("images");
    host_executor<digits::classifier> run(
        load<digits::classifier>(TOROID_SOURCE_DIR "/examples/digits/weights.safetensors"));
    const array<f32> whole = run(images);
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{7}, images.extent(0) - 1}) {
        const array<f32> part = run(array_view<u8>(images.data(), {count, digits::pixels}));
        for (std::int64_t i = 0; i < part.size(); ++i)
            CHECK(part.data()[i] == doctest::Approx(whole.data()[i]).epsilon(1e-5));
    }
    CHECK_THROWS_AS(run(array<u8>({digits::largest_batch + 1, digits::pixels})), error);
}

} // namespace
} // namespace toroid::tests
