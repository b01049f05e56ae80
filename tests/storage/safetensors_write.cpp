// Tests of <toroid/storage/safetensors_write.hpp>: bytes as the reference implementation writes them, and round trips.

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <toroid/storage/contiguous.hpp>
#include <toroid/storage/safetensors.hpp>
#include <toroid/storage/safetensors_write.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome_of;
using tests::read_bytes;
using tests::safetensors_bytes;
using tests::temporary_directory;

namespace {

using metadata_list = std::vector<std::pair<std::string, std::string>>;

/// Random bit patterns; NaNs of every kind occur in the floating types.
template <dtype T> array<T> random_array(const extent_list& extents) {
    static std::mt19937 random(7);
    array<T> x(extents);
    auto* const bytes = reinterpret_cast<unsigned char*>(x.data());
    for (std::size_t i = 0; i < x.size_bytes(); ++i)
        bytes[i] = static_cast<unsigned char>(T == boolean ? random() & 1 : random());
    return x;
}

template <dtype T> void check_round_trip() {
    const temporary_directory directory;
    const array<T> matrix = random_array<T>({3, 5});
    const array<T> scalar = random_array<T>({});
    const array<T> empty({2, 0});
    write_safetensors(directory / "w", {{"matrix", matrix}, {"scalar", scalar}, {"empty", empty}});
    const safetensors_file file(directory / "w");
    const std::vector<expected_tensor> model = {{"empty", T, {2, 0}}, {"matrix", T, {3, 5}}, {"scalar", T, {}}};
    CHECK_FALSE(outcome_of([&] { validate(file, model); }).thrown);
    const array<T> read = file.read<T>("matrix");
    CHECK(read.extents() == matrix.extents());
    CHECK(std::memcmp(read.data(), matrix.data(), matrix.size_bytes()) == 0);
    CHECK(std::memcmp(file.read<T>("scalar").data(), scalar.data(), scalar.size_bytes()) == 0);
    CHECK(file.read<T>("empty").extents() == extent_list{2, 0});
}

} // namespace

TEST_CASE("write_safetensors: every dtype comes back bit for bit") {
    check_round_trip<boolean>();
    check_round_trip<u8>();
    check_round_trip<i8>();
    check_round_trip<i16>();
    check_round_trip<i32>();
    check_round_trip<i64>();
    check_round_trip<f16>();
    check_round_trip<bf16>();
    check_round_trip<f32>();
    check_round_trip<f64>();
}

TEST_CASE("write_safetensors: the bytes of the format") {
    const temporary_directory directory;
    const array<f32> x({1, 2, 3}, {0, 1, 2, 3, 4, 5});
    write_safetensors(directory / "w", {{"attn.0", x}});
    std::string data(24, '\0');
    std::memcpy(data.data(), x.data(), 24);
    CHECK(read_bytes(directory / "w") ==
          safetensors_bytes(R"({"attn.0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}})", data));
    // one character less in the name is one space more at the end
    write_safetensors(directory / "w", {{"attn0", x}});
    CHECK(read_bytes(directory / "w") ==
          safetensors_bytes(R"({"attn0":{"dtype":"F32","shape":[1,2,3],"data_offsets":[0,24]}} )", data));
    write_safetensors(directory / "w", {});
    CHECK(read_bytes(directory / "w") == safetensors_bytes("{}      "));
    write_safetensors(directory / "w", {}, metadata_list{{"framework", "pt"}});
    CHECK(read_bytes(directory / "w") == safetensors_bytes(R"({"__metadata__":{"framework":"pt"}}     )"));
}

TEST_CASE("write_safetensors: large elements first, then names, whatever the order given") {
    const temporary_directory directory;
    const array<u8> byte({1}, {1});
    const array<f64> wide({1}, {2});
    const array<f16> half({1}, {3});
    write_safetensors(directory / "a", {{"a", byte}, {"c", wide}, {"b", wide}, {"z", half}});
    write_safetensors(directory / "b", {{"z", half}, {"b", wide}, {"c", wide}, {"a", byte}});
    CHECK(read_bytes(directory / "a") == read_bytes(directory / "b"));
    const safetensors_file file(directory / "a");
    CHECK(file.find("b")->begin == 0);
    CHECK(file.find("c")->begin == 8);
    CHECK(file.find("z")->begin == 16);
    CHECK(file.find("a")->begin == 18);
}

TEST_CASE("write_safetensors: names and metadata of any text") {
    const temporary_directory directory;
    const array<u8> x({1}, {1});
    const std::string odd = "q\"b\\n\n\x01\x7f/\xe2\x82\xac\xf0\x9f\x98\x80";
    write_safetensors(directory / "w", {{odd, x}, {"", x}}, metadata_list{{odd, odd}, {"", ""}});
    const safetensors_file file(directory / "w");
    CHECK(file.find(odd) != nullptr);
    CHECK(file.find("") != nullptr);
    CHECK(file.metadata()[1] == std::pair(odd, odd));
}

TEST_CASE("write_safetensors: views and raw pointers") {
    const temporary_directory directory;
    array<i32> x({2, 3}, {1, 2, 3, 4, 5, 6});
    const std::int32_t raw[] = {7, 8};
    write_safetensors(directory / "w", {{"view", x.view()}, {"mutable", x.mutable_view()}, {"raw", i32, {2}, raw}});
    const safetensors_file file(directory / "w");
    CHECK(file.read<i32>("view")(1, 2) == 6);
    CHECK(file.read<i32>("mutable")(1, 2) == 6);
    CHECK(file.read<i32>("raw")(1) == 8);

    const array_view<i32> transposed(x.data(), {3, 2}, {1, 3});
    const auto strided = outcome_of([&] { safetensors_tensor("t", transposed); });
    CHECK(strided.code == error_code::invalid_argument);
    CHECK(strided.message == "tensor \"t\" has strides [1, 3] for extents [3, 2]: write contiguous(view)");
    const array<i32> copy = contiguous(transposed);
    write_safetensors(directory / "w", {{"t", copy}});
    CHECK(safetensors_file(directory / "w").read<i32>("t")(2, 1) == 6);
}

TEST_CASE("write_safetensors: rejects what no reader would take") {
    const temporary_directory directory;
    const array<u8> x({1}, {1});
    const auto failure = [&](std::string name) {
        return outcome_of([&] { write_safetensors(directory / "w", {{name, x}, {"x", x}}); });
    };
    CHECK(failure("x").message == "tensor \"x\" is given twice: rename one");
    CHECK(failure("__metadata__").says("has the one name that the format reserves"));
    CHECK(failure("a\xff").says("is not valid UTF-8"));
    CHECK(failure(std::string(1025, 'n')).says("is longer than 1024 bytes"));
    CHECK(failure("x").code == error_code::invalid_argument);
    CHECK_FALSE(failure(std::string(1024, 'n')).thrown);
    CHECK(outcome_of([&] {
              write_safetensors(directory / "w", {}, metadata_list{{"k", "1"}, {"k", "2"}});
          }).says("metadata key \"k\" is given twice"));
    CHECK(outcome_of([&] {
              write_safetensors(directory / "w", {}, metadata_list{{"k", "\xff"}});
          }).says("the metadata value of key \"k\" is not valid UTF-8"));
    CHECK(outcome_of([] { safetensors_tensor("t", f32, {2}, nullptr); }).says("has 8 bytes and a null pointer"));
    CHECK(outcome_of([] { safetensors_tensor("t", f32, {-2}, nullptr); }).code == error_code::invalid_argument);
}

TEST_CASE("write_safetensors: a file that is open for reading can be replaced") {
    const temporary_directory directory;
    write_safetensors(directory / "w", {{"x", array<f32>({2}, {1, 2})}});
    const safetensors_file file(directory / "w");
    write_safetensors(directory / "w", {{"x", array<f32>({2}, {3, 4})}});
    CHECK(file.read<f32>("x")(0) == 1);
    CHECK(safetensors_file(directory / "w").read<f32>("x")(0) == 3);
    CHECK(directory.file_count() == 1);
    const auto failed = outcome_of([&] { write_safetensors(directory / "none/w", {}); });
    CHECK(failed.code == error_code::io_error);
}
