// Tests of <toroid/storage/json.hpp>.

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <toroid/storage/json.hpp>

#include "support.hpp"

using namespace toroid;
using namespace toroid::detail;
using tests::outcome;
using tests::outcome_of;

namespace {

constexpr auto npos = std::string_view::npos;

//=== UTF-8: the table of well-formed sequences, both sides of each border ===//

static_assert(find_invalid_utf8("") == npos);
static_assert(find_invalid_utf8("plain") == npos);
static_assert(find_invalid_utf8("\xc2\x80 \xdf\xbf") == npos);
static_assert(find_invalid_utf8("\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf") == npos);
static_assert(find_invalid_utf8("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf") == npos);
static_assert(find_invalid_utf8("ab\x80") == 2);                 // a continuation byte alone
static_assert(find_invalid_utf8("a\xc0\xaf") == 1);              // overlong '/'
static_assert(find_invalid_utf8("\xc1\xbf") == 0);
static_assert(find_invalid_utf8("\xe0\x9f\xbf") == 0);           // overlong, three bytes
static_assert(find_invalid_utf8("\xf0\x8f\xbf\xbf") == 0);       // overlong, four bytes
static_assert(find_invalid_utf8("\xed\xa0\x80") == 0);           // surrogate
static_assert(find_invalid_utf8("\xed\xbf\xbf") == 0);
static_assert(find_invalid_utf8("\xf4\x90\x80\x80") == 0);       // above U+10FFFF
static_assert(find_invalid_utf8("\xf5\x80\x80\x80") == 0);
static_assert(find_invalid_utf8("\xff") == 0);
static_assert(find_invalid_utf8("\xc3") == 0);                   // cut short
static_assert(find_invalid_utf8("\xe2\x82") == 0);
static_assert(find_invalid_utf8("\xf0\x9f\x98") == 0);
static_assert(find_invalid_utf8("\xc3(") == 0);
static_assert(find_invalid_utf8("\xe2\x82(") == 0);

std::string read_string(std::string_view text) {
    json_reader reader(text, "f", 0);
    std::string value;
    reader.string(value);
    return value;
}
outcome string_error(std::string_view text) {
    return outcome_of([&] { read_string(text); });
}
std::int64_t read_integer(std::string_view text) { return json_reader(text, "f", 0).integer(); }
outcome integer_error(std::string_view text) {
    return outcome_of([&] { read_integer(text); });
}

/// Keys and integer values of a flat object.
std::string read_object(std::string_view text) {
    json_reader reader(text, "f", 0);
    std::string key;
    std::string all;
    reader.enter_object();
    while (reader.next_member(key)) all += key + "=" + std::to_string(reader.integer()) + ";";
    return all + std::string(reader.rest());
}
outcome object_error(std::string_view text) {
    return outcome_of([&] { read_object(text); });
}
std::vector<std::int64_t> read_array(std::string_view text) {
    json_reader reader(text, "f", 0);
    std::vector<std::int64_t> values;
    reader.enter_array();
    while (reader.next_element()) values.push_back(reader.integer());
    return values;
}

} // namespace

TEST_CASE("json: strings") {
    CHECK(read_string(R"("")").empty());
    CHECK(read_string(R"( "a b")") == "a b");
    CHECK(read_string(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
    CHECK(read_string(R"("\u0041\u00e9\u20AC")") == "A\xc3\xa9\xe2\x82\xac");
    CHECK(read_string(R"("\ud83d\ude00")") == "\xf0\x9f\x98\x80");
    CHECK(read_string(R"("\u0000x")") == std::string_view("\0x", 2));
    CHECK(read_string("\"\xe2\x82\xac\"") == "\xe2\x82\xac");
}

TEST_CASE("json: bad strings") {
    CHECK(string_error("").message == "f: byte 0: expected a string, found the end of the header");
    CHECK(string_error("'a'").message == "f: byte 0: expected a string, found '''");
    CHECK(string_error("\"ab").says("byte 3: expected the end of the string"));
    CHECK(string_error("\"a\nb\"").says("byte 2: expected the end of the string"));
    CHECK(string_error("\"a\nb\"").says("found byte value 10"));
    CHECK(string_error(R"("\x")").says("byte 2: expected an escape"));
    CHECK(string_error("\"\\").says("byte 2: expected an escape"));
    CHECK(string_error(R"("\u12G4")").says("byte 5: expected four hexadecimal digits"));
    CHECK(string_error("\"\\u12").says("expected four hexadecimal digits"));
    CHECK(string_error(R"("\ud800")").says("byte 1: a high surrogate escape without its low one"));
    CHECK(string_error(R"("\ud800\n")").says("a high surrogate escape without its low one"));
    CHECK(string_error(R"("\ud800\u0041")").says("a high surrogate escape without its low one"));
    CHECK(string_error(R"("\udc00")").says("byte 1: a low surrogate escape without its high one"));
}

TEST_CASE("json: integers") {
    CHECK(read_integer("0") == 0);
    CHECK(read_integer(" \t\r\n12,") == 12);
    CHECK(read_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    CHECK(integer_error("9223372036854775808").message == "f: byte 0: the integer is larger than 2^63 - 1");
    CHECK(integer_error("99999999999999999999999999").says("larger than 2^63 - 1"));
    CHECK(integer_error("-1").says("expected an integer of at least 0, found '-'"));
    CHECK(integer_error("-0").says("expected an integer of at least 0"));
    CHECK(integer_error("007").says("byte 0: the integer has a leading zero"));
    CHECK(integer_error("1.0").says("byte 1: expected an integer without fraction or exponent, found '.'"));
    CHECK(integer_error("1e3").says("without fraction or exponent"));
    CHECK(integer_error("1E3").says("without fraction or exponent"));
    for (const std::string_view bad : {"", "+1", "\"1\"", "true", "null", "NaN", "Infinity", "[1]", ".5", "x"}) {
        CHECK(integer_error(bad).code == error_code::malformed_file);
        CHECK(integer_error(bad).says("byte 0: expected an integer, found"));
    }
}

TEST_CASE("json: objects and arrays") {
    CHECK(read_object("{}").empty());
    CHECK(read_object(" { } rest") == " rest");
    CHECK(read_object(R"({"a":1,"b" : 2 , "c":3}  )") == "a=1;b=2;c=3;  ");
    CHECK(read_array("[]").empty());
    CHECK(read_array("[ 1 ,2]") == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("json: bad objects and arrays") {
    CHECK(object_error("[").says("byte 0: expected an object, found '['"));
    CHECK(object_error("{").says("byte 1: expected a key in double quotes, found the end of the header"));
    CHECK(object_error("{a:1}").says("byte 1: expected a key in double quotes, found 'a'"));
    CHECK(object_error(R"({"a" 1})").says("byte 5: expected ':' after the key \"a\", found '1'"));
    CHECK(object_error(R"({"a":1,})").says("byte 7: expected a value after ',', found '}'"));
    CHECK(object_error(R"({,"a":1})").says("byte 1: expected a key in double quotes, found ','"));
    CHECK(object_error(R"({"a":1 "b":2})").says("byte 7: expected ',' or '}', found '\"'"));
    CHECK(object_error(R"({"a":1])").says("expected ',' or '}', found ']'"));
    CHECK(object_error(R"({"a":1/**/})").says("expected ',' or '}', found '/'"));
    CHECK(outcome_of([] { read_array("[1,]"); }).says("expected a value after ',', found ']'"));
    CHECK(outcome_of([] { read_array("[,1]"); }).says("expected an integer, found ','"));
    CHECK(outcome_of([] { read_array("[1 2]"); }).says("expected ',' or ']', found '2'"));
    CHECK(outcome_of([] { read_array("[1}"); }).says("expected ',' or ']', found '}'"));
    CHECK(outcome_of([] { read_array("[1"); }).says("found the end of the header"));
}

TEST_CASE("json: nesting") {
    json_reader reader(R"({"a":[1,2],"b":{"c":[]},"d":[]})", "f", 100);
    std::string key;
    reader.enter_object();
    REQUIRE(reader.next_member(key));
    reader.enter_array();
    REQUIRE(reader.next_element());
    CHECK(reader.integer() == 1);
    REQUIRE(reader.next_element());
    CHECK(reader.integer() == 2);
    REQUIRE_FALSE(reader.next_element());
    REQUIRE(reader.next_member(key));
    CHECK(key == "b");
    reader.enter_object();
    REQUIRE(reader.next_member(key));
    CHECK(key == "c");
    reader.enter_array();
    REQUIRE_FALSE(reader.next_element());
    REQUIRE_FALSE(reader.next_member(key));
    REQUIRE(reader.next_member(key));
    CHECK(key == "d");
    reader.enter_array();
    REQUIRE_FALSE(reader.next_element());
    REQUIRE_FALSE(reader.next_member(key));
    CHECK(reader.rest().empty());
    CHECK(reader.position() == 131);
}

TEST_CASE("json_escaped and shown_name: names of a hostile file stay on one line") {
    CHECK(json_escaped("a\"b\\c") == R"(a\"b\\c)");
    CHECK(json_escaped("\n\x1b[31m\x7f") == R"(\u000a\u001b[31m\u007f)");
    CHECK(shown_name("fc1.weight") == "\"fc1.weight\"");
    CHECK(shown_name(std::string(300, 'x')) == '"' + std::string(80, 'x') + "…\" (300 bytes)");
    // The cut does not split a character.
    CHECK(shown_name(std::string(79, 'x') + "\xe2\x82\xac") == '"' + std::string(79, 'x') + "…\" (82 bytes)");
    for (const char* text : {"\"\\/\n\t", "\xe2\x82\xac", "plain"})
        CHECK(read_string('"' + json_escaped(text) + '"') == text);
}
