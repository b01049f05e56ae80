// Weights: names and extents of a model's parameters, views to fill, sharing, and loading with complete errors.

#include <algorithm>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/storage/safetensors_write.hpp>
#include <toroid/storage/weights.hpp>

#include "../schedule/models.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

struct mixed {
    BOOST_HANA_DEFINE_STRUCT(mixed, (tensor<f32, 2, 3>, table), (std::array<nn::linear<2, 2>, 2>, layers),
                             (tensor<u8, 5>, codes), (tensor<f32>, scale), (int, not_a_tensor));
};

TEST_CASE("parameters come in declaration order with dotted names") {
    const weights<mixed> w;
    std::vector<std::string> names;
    for (const parameter_info& info : w.parameters()) names.push_back(info.name);
    CHECK(names == std::vector<std::string>{"table", "layers.0.weight", "layers.0.bias", "layers.1.weight",
                                            "layers.1.bias", "codes", "scale"});
    CHECK(w.parameters()[0].extents == std::vector<std::int64_t>{2, 3});
    CHECK(w.parameters()[0].bytes == 24);
    CHECK(w.parameters()[5].type == dtype::u8);
    CHECK(w.parameters()[5].bytes == 5);
    CHECK(w.parameters()[6].extents.empty());
    CHECK(w.parameters()[6].bytes == 4);
}

TEST_CASE("memory is zero at first, aligned, and one parameter's own") {
    const weights<mixed> w;
    for (int i = 0; i < 7; ++i) {
        CHECK(is_aligned(w.data(i), 64));
        const auto* bytes = static_cast<const unsigned char*>(w.data(i));
        CHECK(std::all_of(bytes, bytes + w.parameters()[static_cast<std::size_t>(i)].bytes,
                          [](unsigned char b) { return b == 0; }));
    }
    w.view<f32>("layers.1.bias")(1) = 7;
    CHECK(w.view<f32>("layers.1.bias")(1) == 7);
    CHECK(w.view<f32>("layers.0.bias")(1) == 0);
    CHECK(w.view<f32>("table").extents() == extent_list({2, 3}));
    CHECK(w.view<f32>("scale").rank() == 0);
}

TEST_CASE("copies share memory") {
    const weights<mixed> w;
    const weights<mixed> copy = w; // NOLINT(performance-unnecessary-copy-initialization): the copy is the subject
    w.view<f32>("scale").at({}) = 3;
    CHECK(copy.view<f32>("scale").at({}) == 3);
    CHECK(copy.data(0) == w.data(0));
    CHECK(weights<mixed>().data(0) != w.data(0));
}

TEST_CASE("an unknown name and another dtype are errors that name the parameter") {
    const weights<mixed> w;
    const outcome unknown = outcome_of([&] { static_cast<void>(w.view<f32>("tabel")); });
    CHECK(unknown.code == error_code::invalid_argument);
    CHECK(unknown.says("'tabel'"));
    const outcome other = outcome_of([&] { static_cast<void>(w.view<f32>("codes")); });
    CHECK(other.code == error_code::invalid_argument);
    CHECK(other.says("'codes'"));
    CHECK(other.says("u8"));
    CHECK(other.says("f32"));
}

struct no_parameters {
    constexpr auto operator()(tensor<f32, B> x) const { return x; }
};
TEST_CASE("a model without parameters has no weights") { CHECK(weights<no_parameters>().parameters().empty()); }

//=== load ===//

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (tensor<f32, 2, 2>, weight), (tensor<f32, 2>, bias));
};
const char* const header =
    R"({"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}})";
std::string floats(std::initializer_list<float> values) {
    std::string bytes;
    for (const float value : values) {
        char four[4];
        std::memcpy(four, &value, 4);
        bytes.append(four, 4);
    }
    return bytes;
}

TEST_CASE("load reads by name, whatever the order in the file") {
    const temporary_directory directory;
    write_bytes(directory / "good.safetensors", safetensors_bytes(header, floats({5, 6, 1, 2, 3, 4})));
    const auto w = load<layer>(directory / "good.safetensors");
    CHECK(w.view<f32>("weight")(1, 0) == 3);
    CHECK(w.view<f32>("bias")(1) == 6);
}

TEST_CASE("a file of another model names what differs") {
    const temporary_directory directory;
    const auto with = [&](const std::string& text, const std::string& data) {
        write_bytes(directory / "other.safetensors", safetensors_bytes(text, data));
        return outcome_of([&] { load<layer>(directory / "other.safetensors"); });
    };
    const outcome missing = with(R"({"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", floats({1, 2}));
    CHECK(missing.code == error_code::weights_mismatch);
    CHECK(missing.says("weight"));
    const outcome shape = with(
        R"({"bias":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[12,28]}})",
        floats({1, 2, 3, 4, 5, 6, 7}));
    CHECK(shape.code == error_code::weights_mismatch);
    CHECK(shape.says("bias"));
    CHECK(shape.says("[3]"));
    CHECK(shape.says("[2]"));
    const outcome type = with(
        R"({"bias":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]}})",
        floats({1, 2, 3, 4, 5, 6, 7, 8}));
    CHECK(type.code == error_code::weights_mismatch);
    CHECK(type.says("bias"));
    const outcome extra = with(
        R"({"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"gain":{"dtype":"F32","shape":[1],"data_offsets":[24,28]},"weight":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]}})",
        floats({1, 2, 3, 4, 5, 6, 7}));
    CHECK(extra.code == error_code::weights_mismatch);
    CHECK(extra.says("gain"));
    CHECK(outcome_of([&] { load<layer>(directory / "absent.safetensors"); }).code == error_code::io_error);
}

} // namespace
} // namespace toroid::tests
