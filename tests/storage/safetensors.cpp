// Tests of <toroid/storage/safetensors.hpp>: files on disk, validation against a model, and mutated files.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <toroid/storage/safetensors.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome;
using tests::outcome_of;
using tests::safetensors_bytes;
using tests::temporary_directory;
using tests::write_bytes;

namespace {

/// The outcome of opening a file of these bytes.
outcome open_outcome(std::string_view bytes, const safetensors_limits& limits = {}) {
    const temporary_directory directory;
    write_bytes(directory / "w.safetensors", bytes);
    return outcome_of([&] { safetensors_file file(directory / "w.safetensors", limits); });
}

/// Eight tensors of several dtypes, one empty and one of rank 0, with metadata, at an odd data start.
std::string sample_file() {
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"fc1.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
        R"("fc1.bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]},)"
        R"("half":{"dtype":"F16","shape":[3],"data_offsets":[32,38]},"mask":{"dtype":"BOOL","shape":[3],)"
        R"("data_offsets":[38,41]},"none":{"dtype":"I64","shape":[0,4],"data_offsets":[41,41]},)"
        R"("scale":{"dtype":"F64","shape":[],"data_offsets":[41,49]},"index":{"dtype":"I16","shape":[1],)"
        R"("data_offsets":[49,51]},"byte":{"dtype":"U8","shape":[1],"data_offsets":[51,52]}})";
    std::string data(52, '\0');
    const float values[] = {1, 2, 3, 4, 5, 6, 0.5f, -0.5f};
    std::memcpy(data.data(), values, sizeof values);
    data[38] = 1;
    data[40] = 1;
    data[51] = 7;
    return safetensors_bytes(header + (header.size() % 2 == 0 ? " " : ""), data);
}

/// Opens and reads everything, as a loader would.
void load_all(const std::filesystem::path& path) {
    const safetensors_file file(path);
    for (const safetensors_entry& entry : file.entries()) {
        std::vector<std::byte> values(entry.byte_size());
        file.read(entry, values.data(), values.size());
        (void)file.find(entry.name);
    }
}

} // namespace

//=== files ===//

TEST_CASE("safetensors: reads tensors wherever they start") {
    const temporary_directory directory;
    write_bytes(directory / "w.safetensors", sample_file());
    const safetensors_file file(directory / "w.safetensors");
    CHECK(file.entries().size() == 8);
    CHECK(file.metadata()[0].second == "pt");
    CHECK(file.find("fc1.weigh") == nullptr);
    CHECK(file.find("fc1.weight")->shape == std::vector<std::int64_t>{2, 3});

    const array<f32> weight = file.read<f32>("fc1.weight");
    CHECK(weight.extents() == extent_list{2, 3});
    CHECK(weight(1, 2) == 6);
    CHECK(file.read<boolean>("mask")(2));
    CHECK_FALSE(file.read<boolean>("mask")(1));
    CHECK(file.read<f64>("scale")() == 0);
    CHECK(file.read<i64>("none").size() == 0);
    float bias[2];
    file.read(*file.find("fc1.bias"), bias, sizeof bias);
    CHECK(bias[1] == -0.5f);
    file.read(*file.find("none"), nullptr, 0);
}

TEST_CASE("safetensors: NaN and infinity are payloads like others") {
    const temporary_directory directory;
    const std::uint32_t bits[] = {0x7fa00001u, 0xff800000u};
    std::string data(8, '\0');
    std::memcpy(data.data(), bits, 8);
    write_bytes(directory / "w", safetensors_bytes(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", data));
    const array<f32> x = safetensors_file(directory / "w").read<f32>("x");
    CHECK(std::memcmp(x.data(), bits, 8) == 0); // the signalling NaN too
}

TEST_CASE("safetensors: read errors") {
    const temporary_directory directory;
    write_bytes(directory / "w.safetensors", sample_file());
    const safetensors_file file(directory / "w.safetensors");
    const std::string name = (directory / "w.safetensors").string();
    char place[64];
    const auto size = outcome_of([&] { file.read(*file.find("fc1.bias"), place, 7); });
    CHECK(size.code == error_code::invalid_argument);
    CHECK(size.message == name + ": tensor \"fc1.bias\" has 8 bytes, the destination has 7");
    const auto missing = outcome_of([&] { (void)file.read<f32>("fc9"); });
    CHECK(missing.code == error_code::weights_mismatch);
    CHECK(missing.message == name + ": has no tensor \"fc9\" among its 8");
    const auto type = outcome_of([&] { (void)file.read<f32>("half"); });
    CHECK(type.code == error_code::weights_mismatch);
    CHECK(type.message == name + ": tensor \"half\" has dtype F16, not F32");
}

TEST_CASE("safetensors: a byte that is no boolean") {
    const temporary_directory directory;
    const std::string header = R"({"m":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
    write_bytes(directory / "w", safetensors_bytes(header, std::string_view("\1\0\2", 3)));
    const safetensors_file file(directory / "w");
    const auto bad = outcome_of([&] { (void)file.read<boolean>("m"); });
    CHECK(bad.code == error_code::malformed_file);
    CHECK(bad.says("byte " + std::to_string(8 + header.size() + 2) + ": tensor \"m\" is BOOL but holds the byte 2"));
}

TEST_CASE("safetensors: length and size of the file") {
    CHECK(open_outcome("").message.ends_with("w.safetensors: has 0 bytes, a safetensors file has at least 8: download "
                                             "or save it again"));
    CHECK(open_outcome("1234567").says("has 7 bytes"));
    CHECK(open_outcome(safetensors_bytes(0, "")).says("byte 8: the header does not start with '{'"));
    CHECK(open_outcome(safetensors_bytes(3, "{}")).says("byte 0: the header length is 3, but 2 bytes follow"));
    CHECK(open_outcome(safetensors_bytes(100'000'000, "{}")).says("but 2 bytes follow"));
    CHECK(open_outcome(safetensors_bytes(100'000'001, "{}")).says("100000001, more than the limit of 100000000"));
    // Lengths whose sum with 8 wraps around.
    for (const std::uint64_t length : {~std::uint64_t{0}, ~std::uint64_t{0} - 7, std::uint64_t{1} << 63}) {
        const outcome result = open_outcome(safetensors_bytes(length, "{}"));
        CHECK(result.code == error_code::malformed_file);
        CHECK(result.says("the header length is " + std::to_string(length)));
        CHECK(result.is_one_line());
    }
    CHECK(open_outcome(safetensors_bytes("{}  ", ""), {.header_bytes = 3}).says("4, more than the limit of 3"));
    // The format's own limit cannot be raised.
    CHECK(open_outcome(safetensors_bytes(100'000'001, "{}"), {.header_bytes = 1u << 30}).says("limit of 100000000"));
    CHECK_FALSE(open_outcome(safetensors_bytes("{}")).thrown);
}

TEST_CASE("safetensors: files of another format are recognised") {
    CHECK(open_outcome("PK\x03\x04 and the rest").says("a PyTorch .pt or .bin file?"));
    CHECK(open_outcome("\x80\x02}q\x01(X\x03 and more").says("starts like a pickle"));
    CHECK(open_outcome("GGUF\x03 and the rest").says("starts like a GGUF file"));
    CHECK(open_outcome("version https://git-lfs.github.com/spec/v1").says("run git lfs pull"));
}

TEST_CASE("safetensors: missing and odd files") {
    const temporary_directory directory;
    CHECK(outcome_of([&] { safetensors_file file(directory / "none"); }).code == error_code::io_error);
    CHECK(outcome_of([&] { safetensors_file file(directory.path()); }).says("is not a regular file"));
}

TEST_CASE("safetensors: every truncation of a valid file is an error") {
    const temporary_directory directory;
    const std::string whole = sample_file();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write_bytes(directory / "w", whole.substr(0, size));
        const outcome result = outcome_of([&] { safetensors_file file(directory / "w"); });
        CHECK(result.code == error_code::malformed_file);
        CHECK(result.is_one_line());
    }
    write_bytes(directory / "w", whole + '\0');
    CHECK(outcome_of([&] { safetensors_file file(directory / "w"); }).says("followed by bytes of no tensor"));
}

TEST_CASE("safetensors: a file that changes after it was opened") {
    const temporary_directory directory;
    write_bytes(directory / "w", sample_file());
    const safetensors_file file(directory / "w");
    std::filesystem::resize_file(directory / "w", sample_file().size() - 1);
    CHECK(file.read<f32>("fc1.bias")(0) == 0.5f);
    const outcome result = outcome_of([&] { (void)file.read<u8>("byte"); });
    CHECK(result.code == error_code::io_error);
    CHECK(result.says("it shrank while it was being read"));
    std::filesystem::remove(directory / "w");
    CHECK(file.read<f32>("fc1.bias")(0) == 0.5f);
}

//=== validation ===//

namespace {

const std::vector<expected_tensor> sample_model = {
    {"fc1.weight", f32, {2, 3}}, {"fc1.bias", f32, {2}}, {"half", f16, {3}},  {"mask", boolean, {3}},
    {"none", i64, {0, 4}},       {"scale", f64, {}},     {"index", i16, {1}}, {"byte", u8, {1}}};

/// The outcome of validating the sample file against a model; messages without the directory.
outcome validation(const std::vector<expected_tensor>& model) {
    const temporary_directory directory;
    write_bytes(directory / "w.safetensors", sample_file());
    const safetensors_file file(directory / "w.safetensors");
    outcome result = outcome_of([&] { validate(file, model); });
    if (result.thrown) {
        CHECK(result.code == error_code::weights_mismatch);
        CHECK(result.message.starts_with(file.name()));
        result.message.erase(0, directory.path().string().size() + 1);
    }
    return result;
}
outcome validation_with(std::size_t index, expected_tensor tensor) {
    std::vector<expected_tensor> model = sample_model;
    model[index] = std::move(tensor);
    return validation(model);
}

} // namespace

TEST_CASE("validate: one difference, one line") {
    CHECK_FALSE(validation(sample_model).thrown);
    CHECK(validation_with(0, {"fc1.weight", f32, {3, 2}}).message ==
          "w.safetensors: tensor \"fc1.weight\" has shape [2, 3], the model wants [3, 2] (PyTorch's [out, in] layout)");
    CHECK(validation_with(0, {"fc1.weight", f32, {2, 4}}).message ==
          "w.safetensors: tensor \"fc1.weight\" has shape [2, 3], the model wants [2, 4]");
    CHECK(validation_with(0, {"fc1.weight", f32, {3, 4}}).message.ends_with("the model wants [3, 4]"));
    CHECK(validation_with(0, {"fc1.weight", f32, {4, 2}}).message.ends_with("the model wants [4, 2]"));
    CHECK(validation_with(0, {"fc1.weight", f32, {6}}).says("has shape [2, 3], the model wants [6]"));
    CHECK(validation_with(5, {"scale", f64, {1}}).says("has shape [], the model wants [1]"));
    CHECK(validation_with(1, {"fc1.bias", f32, {}}).says("has shape [2], the model wants []"));
    CHECK(validation_with(2, {"half", bf16, {3}}).message ==
          "w.safetensors: tensor \"half\" has dtype F16, the model wants BF16");
    std::vector<expected_tensor> model = sample_model;
    model.pop_back();
    CHECK(validation(model).message == "w.safetensors: has the tensor \"byte\", which the model does not want");
    model = sample_model;
    model.push_back({"fc2.bias", f32, {10}});
    CHECK(validation(model).message == "w.safetensors: has no tensor \"fc2.bias\", the model wants F32 of shape [10]");
}

TEST_CASE("validate: all differences in one message") {
    CHECK(validation_with(0, {"fc1.weight", f64, {3, 2}}).message ==
          "w.safetensors: 2 differences from the model\n"
          "  tensor \"fc1.weight\" has dtype F32, the model wants F64\n"
          "  tensor \"fc1.weight\" has shape [2, 3], the model wants [3, 2] (PyTorch's [out, in] layout)");
    CHECK(validation_with(0, {"model.fc1.weight", f32, {2, 3}}).message ==
          "w.safetensors: 2 differences from the model\n"
          "  has no tensor \"model.fc1.weight\", the model wants F32 of shape [2, 3] "
          "(it has \"fc1.weight\": rename one of them)\n"
          "  has the tensor \"fc1.weight\", which the model does not want");
    const outcome all = validation({{"a", f32, {1}}, {"b", f32, {1}}});
    CHECK(all.says("10 differences from the model\n"));
    CHECK(all.message.ends_with("\n  and 2 more"));
    CHECK(std::count(all.message.begin(), all.message.end(), '\n') == 9);
}

//=== mutated files ===//

TEST_CASE("safetensors: mutated files load or throw toroid::error") {
    const temporary_directory directory;
    const std::string whole = sample_file();
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    constexpr std::string_view interesting("{}[]\",:0919-.eE\\u\0\x20\x7f\x80\xc0\xff", 23);
    int rejected = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = whole;
        for (std::size_t edits = 1 + below(3); edits > 0 && !bytes.empty(); --edits) {
            const std::size_t at = below(bytes.size());
            switch (below(6)) {
            case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8)); break;
            case 1: bytes[at] = interesting[below(interesting.size())]; break;
            case 2: bytes.resize(at); break;
            case 3: bytes.erase(at, 1 + below(16)); break;
            case 4: bytes.insert(at, bytes.substr(below(bytes.size()), below(40))); break;
            case 5: bytes.insert(at, 1, interesting[below(interesting.size())]); break;
            }
            // Otherwise most edits of size would end at the length field.
            if (bytes.size() > 60 && below(2) == 0) bytes.replace(0, 8, safetensors_bytes(bytes.size() - 60, ""));
        }
        write_bytes(directory / "w", bytes);
        const outcome result = outcome_of([&] { load_all(directory / "w"); });
        rejected += result.thrown;
        if (result.thrown && !result.is_one_line()) FAIL_CHECK("not one line: ", result.message);
    }
    // Both ends of the oracle are exercised: harmless flips of data load, others do not.
    CHECK(rejected > 2000);
    CHECK(rejected < 3000);
}
