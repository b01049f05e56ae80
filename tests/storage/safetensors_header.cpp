// Tests of <toroid/storage/safetensors_header.hpp>: every rule of the format, one hostile header each.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <toroid/storage/safetensors_header.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome;
using tests::outcome_of;

namespace {

static_assert(safetensors_name_of(boolean) == "BOOL");
static_assert(safetensors_name_of(bf16) == "BF16");
static_assert(detail::dtype_of_safetensors("F64") == f64);
static_assert(!detail::dtype_of_safetensors("f64"));
static_assert(!detail::dtype_of_safetensors(""));
static_assert(detail::is_foreign_safetensors_dtype("F8_E4M3"));
static_assert(!detail::is_foreign_safetensors_dtype("F32"));

safetensors_header parse(std::string_view text, std::uint64_t data_bytes, const safetensors_limits& limits = {}) {
    return parse_safetensors_header(text, data_bytes, "w.safetensors", limits);
}
/// The outcome of a header that must be rejected with one line that starts with the file.
outcome rejection(std::string_view text, std::uint64_t data_bytes = 0, const safetensors_limits& limits = {}) {
    const outcome result = outcome_of([&] { parse(text, data_bytes, limits); });
    CHECK(result.is_one_line());
    CHECK(result.message.starts_with("w.safetensors: "));
    return result;
}
/// A header with one tensor "a" of these raw JSON fields.
std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
    return R"({"a":{"dtype":)" + std::string(dtype) + R"(,"shape":)" + std::string(shape) + R"(,"data_offsets":)" +
           std::string(offsets) + "}}";
}
/// The fields of an U8 vector at [begin, end).
std::string bytes_at(int begin, int end) {
    return R"({"dtype":"U8","shape":[)" + std::to_string(end - begin) + R"(],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(end) + "]}";
}

} // namespace

//=== accepted ===//

TEST_CASE("safetensors header: a plain file") {
    const safetensors_header header =
        parse(R"({"__metadata__":{"format":"pt","b":""},"z":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
              R"("a":{"data_offsets":[24,26],"shape":[2],"dtype":"I8"}}   )",
              26);
    REQUIRE(header.entries.size() == 2);
    CHECK(header.entries[0].name == "a");
    CHECK(header.entries[0].type == i8);
    CHECK(header.entries[0].begin == 24);
    CHECK(header.entries[1].shape == std::vector<std::int64_t>{2, 3});
    CHECK(header.entries[1].byte_size() == 24);
    REQUIRE(header.metadata.size() == 2);
    CHECK(header.metadata[1] == std::pair<std::string, std::string>("format", "pt"));
}

TEST_CASE("safetensors header: legal corners") {
    CHECK(parse("{}", 0).entries.empty());
    CHECK(parse(R"({"__metadata__":{}})", 0).entries.empty());
    CHECK(parse(one(R"("F32")", "[]", "[0,4]"), 4).entries[0].shape.empty());
    CHECK(parse(one(R"("F32")", "[3,0,9]", "[0,0]"), 0).entries[0].byte_size() == 0);
    CHECK(parse(one(R"("F64")", "[1,1,1,1,1,1,1,2]", "[0,16]"), 16).entries[0].shape.size() == 8);
    CHECK(parse(one("\"\\u0046\\u0033\\u0032\"", "\n[ 1 ]\t", "[ 0 , 4 ]"), 4).entries[0].type == f32);
    // Empty tensors may sit on a border, before or after the tensor that begins there; order in the file is free.
    CHECK(parse("{\"b\":" + bytes_at(4, 8) + ",\"e\":" + bytes_at(4, 4) + ",\"a\":" + bytes_at(0, 4) +
                    ",\"f\":" + bytes_at(8, 8) + ",\"g\":" + bytes_at(0, 0) + "}",
                8)
              .entries.size() == 5);
    CHECK(parse(R"({"":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0).entries[0].name.empty());
}

//=== text ===//

TEST_CASE("safetensors header: not a JSON object in UTF-8") {
    CHECK(rejection("").says("byte 8: the header does not start with '{'"));
    CHECK(rejection(" {}").says("byte 8: the header does not start with '{'"));
    CHECK(rejection("[]").says("byte 8: the header does not start with '{'"));
    CHECK(rejection("\xef\xbb\xbf{}").says("does not start with '{'")); // a byte order mark
    CHECK(rejection("{\"\xc0\xaf\":1}").says("byte 10: the header is not valid UTF-8"));
    CHECK(rejection("{\"a\xed\xa0\x80\":1}").says("byte 11: the header is not valid UTF-8"));
    CHECK(rejection("{\"a\":\xff}").says("byte 13: the header is not valid UTF-8"));
    CHECK(rejection("{").says("byte 9: expected a key in double quotes, found the end of the header"));
    CHECK(rejection("{\"a\"").says("expected ':'"));
    CHECK(rejection("{'a':1}").says("expected a key in double quotes"));
    CHECK(rejection("{\"\\ud800\":1}").says("surrogate"));
    CHECK(rejection("{\"a\":" + bytes_at(0, 0) + ",}").says("expected a value after ','"));
}

TEST_CASE("safetensors header: only spaces after the object") {
    CHECK_FALSE(outcome_of([] { parse("{}      ", 0); }).thrown);
    CHECK(rejection("{}\n").says("byte 10: only spaces may follow"));
    CHECK(rejection("{}\t").says("only spaces may follow"));
    CHECK(rejection(std::string_view("{} \0", 4)).says("byte 11: only spaces may follow"));
    CHECK(rejection("{}{}").says("only spaces may follow"));
    CHECK(rejection("{} x").says("only spaces may follow"));
}

TEST_CASE("safetensors header: deep nesting is refused at its first level, without recursion") {
    const std::string deep(1'000'000, '[');
    CHECK(rejection("{\"a\":" + deep).says("byte 13: expected an object, found '['"));
    CHECK(rejection(one("\"U8\"", deep, "[0,0]")).says("expected an integer, found '['"));
    CHECK(rejection("{\"__metadata__\":{\"k\":" + deep).says("expected a string"));
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"dtype\":";
    CHECK(rejection("{\"a\":" + objects).says("expected a dtype as a string, found '{'"));
}

//=== keys ===//

TEST_CASE("safetensors header: duplicate keys") {
    CHECK(rejection("{\"a\":" + bytes_at(0, 2) + ",\"a\":" + bytes_at(2, 4) + "}", 4).message ==
          "w.safetensors: tensor \"a\" is listed twice");
    // The same key in another spelling.
    CHECK(rejection("{\"a\":" + bytes_at(0, 2) + ",\"\\u0061\":" + bytes_at(2, 4) + "}", 4).says("is listed twice"));
    CHECK(rejection(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})")
              .says("tensor \"a\" has the key \"dtype\" twice"));
    CHECK(rejection(R"({"a":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})").says("\"shape\" twice"));
    CHECK(rejection(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"data_offsets":[0,0]}})")
              .says("\"data_offsets\" twice"));
    CHECK(rejection(R"({"__metadata__":{},"__metadata__":{}})").says("the key \"__metadata__\" occurs twice"));
    CHECK(rejection(R"({"__metadata__":{"k":"1","k":"2"}})").says("the __metadata__ key \"k\" occurs twice"));
}

TEST_CASE("safetensors header: metadata holds strings only") {
    for (const char* value : {"1", "null", "true", "[]", "{}"})
        CHECK(rejection(R"({"__metadata__":{"k":)" + std::string(value) + "}}")
                  .says("expected a string as the value of __metadata__ key \"k\""));
    CHECK(rejection(R"({"__metadata__":"x"})").says("expected an object"));
    CHECK(rejection(R"({"__metadata__":null})").says("expected an object"));
}

TEST_CASE("safetensors header: fields of an entry") {
    CHECK(rejection(R"({"a":1})").says("expected an object"));
    CHECK(rejection(R"({"a":null})").says("expected an object"));
    CHECK(rejection(R"({"a":{}})").says("tensor \"a\" has no dtype"));
    CHECK(rejection(R"({"a":{"dtype":"U8","data_offsets":[0,0]}})").says("tensor \"a\" has no shape"));
    CHECK(rejection(R"({"a":{"dtype":"U8","shape":[0]}})").says("tensor \"a\" has no data_offsets"));
    CHECK(rejection(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":1}})")
              .says("tensor \"a\" has the unknown key \"x\""));
    CHECK(rejection(R"({"a":{"Dtype":"U8"}})").says("unknown key \"Dtype\""));
}

//=== dtypes ===//

TEST_CASE("safetensors header: dtypes") {
    for (int i = 0; i < dtype_count; ++i) {
        const dtype type = static_cast<dtype>(i);
        const int bytes = 3 * size_of(type);
        const auto header =
            parse(one('"' + std::string(safetensors_name_of(type)) + '"', "[3]", "[0," + std::to_string(bytes) + "]"),
                  static_cast<std::uint64_t>(bytes));
        CHECK(header.entries[0].type == type);
    }
    for (const char* name : {"F4", "F6_E2M3", "F6_E3M2", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ",
                             "U16", "U32", "U64", "C64"}) {
        const outcome result = rejection(one('"' + std::string(name) + '"', "[0]", "[0,0]"));
        CHECK(result.code == error_code::unsupported);
        CHECK(result.says("tensor \"a\" has dtype " + std::string(name) +
                          ", valid in safetensors, not supported here: convert it"));
    }
    for (const char* name : {"", "f32", "F32 ", "FLOAT", "F128", "Q4_0"}) {
        const outcome result = rejection(one('"' + std::string(name) + '"', "[0]", "[0,0]"));
        CHECK(result.code == error_code::malformed_file);
        CHECK(result.says("tensor \"a\" has the unknown dtype \"" + std::string(name) + '"'));
    }
    CHECK(rejection(one("5", "[0]", "[0,0]")).says("expected a dtype as a string, found '5'"));
}

//=== shapes and offsets ===//

TEST_CASE("safetensors header: integers of shapes and offsets") {
    for (const char* bad : {"-1", "-0", "1.0", "1.5", "1e2", "1E0", "01", "9223372036854775808",
                            "340282366920938463463374607431768211456", "\"1\"", "true", "null", "NaN", "[1]", "+1"}) {
        CAPTURE(bad);
        CHECK(rejection(one("\"U8\"", '[' + std::string(bad) + ']', "[0,1]"), 1).code == error_code::malformed_file);
        CHECK(rejection(one("\"U8\"", "[1]", "[0," + std::string(bad) + ']'), 1).code == error_code::malformed_file);
        CHECK(rejection(one("\"U8\"", "[1]", '[' + std::string(bad) + ",1]"), 1).code == error_code::malformed_file);
        CHECK(rejection(one("\"U8\"", '[' + std::string(bad) + ']', "[0,1]"), 1).says("byte "));
    }
    CHECK(rejection(one("\"U8\"", "1", "[0,1]"), 1).says("expected an array"));
    CHECK(rejection(one("\"U8\"", "[1]", "{}"), 1).says("expected an array"));
    CHECK(rejection(one("\"U8\"", "[1]", "[]"), 1).says("has 0 data_offsets"));
    CHECK(rejection(one("\"U8\"", "[1]", "[0]"), 1).says("has 1 data_offsets"));
    CHECK(rejection(one("\"U8\"", "[1]", "[0,1,1]"), 1).says("has more than two data_offsets"));
    CHECK(rejection(one("\"U8\"", "[1]", "[4,2]"), 4).message ==
          "w.safetensors: tensor \"a\" begins at data offset 4, after its end at 2");
}

TEST_CASE("safetensors header: sizes") {
    CHECK(rejection(one("\"F32\"", "[2,3]", "[0,20]"), 20).message ==
          "w.safetensors: tensor \"a\" has data_offsets [0, 20], 20 bytes, but F32 of shape [2, 3] takes 24");
    CHECK(rejection(one("\"F32\"", "[]", "[0,0]")).says("0 bytes, but F32 of shape [] takes 4"));
    CHECK(rejection(one("\"F32\"", "[2,0]", "[0,4]"), 4).says("takes 0"));
    // Products that wrap to a small number in 64 bits.
    CHECK(rejection(one("\"U8\"", "[4294967296,4294967296]", "[0,0]")).says("more than 2^63 - 1 bytes"));
    CHECK(rejection(one("\"F64\"", "[2305843009213693952]", "[0,0]")).says("more than 2^63 - 1 bytes"));
    CHECK(rejection(one("\"U8\"", "[9223372036854775807,3]", "[0,1]"), 1).says("more than 2^63 - 1 bytes"));
    CHECK(rejection(one("\"U8\"", "[0,9223372036854775807,9223372036854775807]", "[0,0]")).says("more than 2^63 - 1"));
    CHECK(rejection(one("\"U8\"", "[9223372036854775807]", "[0,9223372036854775807]"), 100).says("truncated"));
    const outcome rank = rejection(one("\"U8\"", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1);
    CHECK(rank.code == error_code::unsupported);
    CHECK(rank.says("tensor \"a\" has more than the 8 axes supported"));
}

TEST_CASE("safetensors header: the tensors tile the data") {
    const auto two = [](int a, int b, int c, int d) {
        return "{\"a\":" + bytes_at(a, b) + ",\"b\":" + bytes_at(c, d) + "}";
    };
    CHECK(rejection(two(0, 4, 5, 8), 8).message ==
          "w.safetensors: tensor \"b\" begins at data offset 5, but the tensors before it end at 4: a hole in the "
          "data");
    CHECK(rejection(two(2, 4, 4, 8), 8).says("\"a\" begins at data offset 2, but the tensors before it end at 0"));
    CHECK(rejection(two(0, 4, 3, 8), 8).message ==
          "w.safetensors: tensor \"b\" begins at data offset 3, inside tensor \"a\", which ends at 4");
    CHECK(rejection(two(0, 4, 0, 4), 4).says("inside tensor"));
    CHECK(rejection(two(0, 8, 2, 4), 8).says("inside tensor \"a\""));
    CHECK(rejection(two(0, 8, 4, 4), 8).says("inside tensor \"a\"")); // an empty one
    CHECK(rejection(two(0, 4, 4, 8), 9).message ==
          "w.safetensors: the tensors take 8 bytes of data, the file has 9: the file is followed by bytes of no "
          "tensor");
    CHECK(rejection(two(0, 4, 4, 8), 7).message ==
          "w.safetensors: the tensors take 8 bytes of data, the file has 7: the file is truncated, download or save it "
          "again");
    CHECK(rejection("{}", 1).says("take 0 bytes of data, the file has 1"));
}

//=== limits ===//

TEST_CASE("safetensors header: limits of the reader") {
    const std::string name(1025, 'n');
    CHECK(rejection("{\"" + name + "\":" + bytes_at(0, 0) + "}").says("(1025 bytes) is longer than the limit of 1024"));
    CHECK(parse("{\"" + name + "\":" + bytes_at(0, 0) + "}", 0, {.name_bytes = 1025}).entries.size() == 1);
    const std::string empty = bytes_at(0, 0);
    const std::string three = "{\"a\":" + empty + ",\"b\":" + empty + ",\"c\":" + empty + "}";
    CHECK(rejection(three, 0, {.tensors = 2}).says("more tensors than the limit of 2"));
    CHECK(parse(three, 0, {.tensors = 3}).entries.size() == 3);
}

TEST_CASE("safetensors header: names from the file cannot break a message") {
    CHECK(rejection("{\"a\\nFAKE: all good\\u001b[2J\":{}}").message ==
          "w.safetensors: tensor \"a\\u000aFAKE: all good\\u001b[2J\" has no dtype");
}
