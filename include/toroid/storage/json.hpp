#pragma once
// Strict pull reader for the JSON that a safetensors header may hold: objects, arrays, strings, integers. Host only.
//
// The caller says what comes next, so nothing recurses and nothing is skipped: nesting is as deep as the caller's code.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <toroid/core/error.hpp>

namespace toroid::detail {

//=== text ===//

/// Position of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong form, no surrogate, at most
/// U+10FFFF), or npos.
constexpr std::size_t find_invalid_utf8(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead < 0xc2 || lead > 0xf4) return i;
        // The second byte excludes overlong forms, surrogates and values above U+10FFFF.
        const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (byte(i + 1) < low || byte(i + 1) > high) return i;
        for (std::size_t k = 2; k < length; ++k)
            if (byte(i + k) < 0x80 || byte(i + k) > 0xbf) return i;
        i += length;
    }
    return std::string_view::npos;
}

/// Appends a code point as UTF-8.
constexpr void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

/// JSON spelling of a string without its quotes: escapes the quote, the backslash and control characters.
inline std::string json_escaped(std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        } else {
            out += c;
        }
    }
    return out;
}

/// A name from a file for use in a message: quoted, escaped, on one line, cut after about 80 bytes.
inline std::string shown_name(std::string_view name) {
    constexpr std::size_t most = 80;
    if (name.size() <= most) return '"' + json_escaped(name) + '"';
    std::size_t cut = most;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0) == 0x80) --cut;
    return '"' + json_escaped(name.substr(0, cut)) + "…\" (" + std::to_string(name.size()) + " bytes)";
}

//=== reader ===//

/// Reads `text`, which must be well-formed UTF-8. Errors are `error_code::malformed_file` and name the byte of the
/// file, `origin` being the file position of `text`.
class json_reader {
public:
    json_reader(std::string_view text, std::string file, std::uint64_t origin)
        : text_(text), file_(std::move(file)), origin_(origin) {}

    /// File position of the next byte.
    [[nodiscard]] std::uint64_t position() const { return origin_ + next_; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(next_); }

    void enter_object() { enter('{', "an object"); }
    void enter_array() { enter('[', "an array"); }

    /// Moves to the next member of the entered object and reads its key; false at the end of the object.
    bool next_member(std::string& key) {
        if (!next('}')) return false;
        string(key, "a key in double quotes");
        skip_space();
        if (peek() != ':') fail_expected("':' after the key " + shown_name(key));
        ++next_;
        return true;
    }
    /// Moves to the next element of the entered array; false at the end of the array.
    bool next_element() { return next(']'); }

    /// Reads a string, escapes resolved.
    void string(std::string& out, std::string_view what = "a string") {
        out.clear();
        skip_space();
        if (peek() != '"') fail_expected(what);
        ++next_;
        while (peek() != '"') {
            const int c = peek();
            if (c < 0x20) fail_expected("the end of the string (control characters are escaped in JSON)");
            ++next_;
            if (c == '\\') escape(out);
            else out += static_cast<char>(c);
        }
        ++next_;
    }

    /// Reads an integer from 0 to 2^63 - 1, in plain decimal digits.
    std::int64_t integer() {
        skip_space();
        const std::size_t start = next_;
        if (peek() == '-') fail_expected("an integer of at least 0");
        if (!is_digit(peek())) fail_expected("an integer");
        std::int64_t value = 0;
        for (; is_digit(peek()); ++next_) {
            const int digit = peek() - '0';
            if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10)
                fail(origin_ + start, "the integer is larger than 2^63 - 1");
            value = 10 * value + digit;
        }
        if (next_ - start > 1 && text_[start] == '0') fail(origin_ + start, "the integer has a leading zero");
        if (peek() == '.' || peek() == 'e' || peek() == 'E') fail_expected("an integer without fraction or exponent");
        return value;
    }

    [[noreturn]] void fail(std::uint64_t position, std::string_view message) const {
        throw error(error_code::malformed_file,
                    file_ + ": byte " + std::to_string(position) + ": " + std::string(message));
    }

private:
    [[nodiscard]] int peek() const { return next_ < text_.size() ? static_cast<unsigned char>(text_[next_]) : -1; }
    static bool is_digit(int c) { return c >= '0' && c <= '9'; }
    void skip_space() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++next_;
    }
    [[noreturn]] void fail_expected(std::string_view what) const {
        const int c = peek();
        std::string found = "the end of the header";
        if (c >= 0x20 && c < 0x7f) found = std::string("'") + static_cast<char>(c) + "'";
        else if (c >= 0) found = "byte value " + std::to_string(c);
        fail(position(), "expected " + std::string(what) + ", found " + found);
    }

    void enter(char open, std::string_view what) {
        skip_space();
        if (peek() != open) fail_expected(what);
        ++next_;
        first_ = true;
    }
    bool next(char close) {
        skip_space();
        const bool first = std::exchange(first_, false);
        if (peek() == close) {
            ++next_;
            return false;
        }
        if (!first) {
            if (peek() != ',') fail_expected(std::string("',' or '") + close + "'");
            ++next_;
            skip_space();
            if (peek() == close) fail_expected("a value after ','");
        }
        return true;
    }

    void escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view values = "\"\\/\b\f\n\r\t";
        if (peek() == 'u') {
            append_utf8(out, code_point());
            return;
        }
        const std::size_t which = peek() < 0 ? std::string_view::npos : letters.find(static_cast<char>(peek()));
        if (which == std::string_view::npos) fail_expected("an escape: one of \" \\ / b f n r t u");
        out += values[which];
        ++next_;
    }
    std::uint32_t code_point() {
        const std::uint64_t start = position() - 1;
        const std::uint32_t unit = hex_unit();
        if (unit >= 0xdc00 && unit <= 0xdfff) fail(start, "a low surrogate escape without its high one");
        if (unit < 0xd800 || unit > 0xdbff) return unit;
        if (text_.substr(next_, 2) != "\\u") fail(start, "a high surrogate escape without its low one");
        ++next_;
        const std::uint32_t low = hex_unit();
        if (low < 0xdc00 || low > 0xdfff) fail(start, "a high surrogate escape without its low one");
        return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    std::uint32_t hex_unit() {
        std::uint32_t unit = 0;
        ++next_; // the 'u'
        for (int i = 0; i < 4; ++i, ++next_) {
            const int c = peek();
            const int lower = c | 0x20;
            if (is_digit(c)) unit = unit << 4 | static_cast<std::uint32_t>(c - '0');
            else if (c >= 0 && lower >= 'a' && lower <= 'f')
                unit = unit << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
            else fail_expected("four hexadecimal digits after \\u");
        }
        return unit;
    }

    std::string_view text_;
    std::string file_;
    std::uint64_t origin_;
    std::size_t next_ = 0;
    bool first_ = false;
};

} // namespace toroid::detail
