#pragma once
// The header of a safetensors file: dtype names, entries, and the parser that checks every rule of the format.
// Host only. Source: huggingface/safetensors, README "Format" and safetensors/src/tensor.rs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toroid/core/config.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/extent_list.hpp>
#include <toroid/storage/json.hpp>
#include <toroid/storage/sorted.hpp>

namespace toroid {

//=== vocabulary ===//

/// One tensor of a file. Its bytes are [begin, end) of the data section.
struct safetensors_entry {
    std::string name;
    dtype type;
    std::vector<std::int64_t> shape;
    std::uint64_t begin;
    std::uint64_t end;

    [[nodiscard]] std::uint64_t byte_size() const { return end - begin; }
};

/// Everything a header says: tensors sorted by name, and the `__metadata__` pairs sorted by key.
struct safetensors_header {
    std::vector<safetensors_entry> entries;
    std::vector<std::pair<std::string, std::string>> metadata;
};

/// What a reader accepts at most. The format itself stops at 100,000,000 header bytes.
struct safetensors_limits {
    std::uint64_t header_bytes = 100'000'000;
    std::size_t tensors = 250'000;
    std::size_t name_bytes = 1024;
};

/// "F32" for f32, as safetensors spells dtypes.
constexpr std::string_view safetensors_name_of(dtype type) {
    constexpr std::string_view names[] = {"BOOL", "U8", "I8", "I16", "I32", "I64", "F16", "BF16", "F32", "F64"};
    return names[static_cast<int>(type)];
}

namespace detail {

constexpr std::optional<dtype> dtype_of_safetensors(std::string_view name) {
    for (int i = 0; i < dtype_count; ++i)
        if (safetensors_name_of(static_cast<dtype>(i)) == name) return static_cast<dtype>(i);
    return std::nullopt;
}

/// dtypes of the format that the library has no element type for.
constexpr bool is_foreign_safetensors_dtype(std::string_view name) {
    constexpr std::string_view names[] = {"U16",     "U32",     "U64",     "F4",          "F6_E2M3",     "F6_E3M2",
                                          "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "C64"};
    for (const std::string_view foreign : names)
        if (foreign == name) return true;
    return false;
}

//=== parser ===//

/// One use per header. `text` is the header without its length, at byte 8 of `file`. `Header` is safetensors_header: as a
/// template, the parser costs only programs that read weights.
template <class Header> class safetensors_header_parser {
public:
    safetensors_header_parser(std::string_view text, std::uint64_t data_bytes, std::string file,
                              const safetensors_limits& limits)
        : text_(text), data_bytes_(data_bytes), file_(std::move(file)), limits_(limits),
          reader_(text, file_, header_begin) {}

    Header parse() {
        if (text_.empty() || text_.front() != '{')
            reader_.fail(header_begin, "the header does not start with '{': not a safetensors file");
        if (const std::size_t at = find_invalid_utf8(text_); at != std::string_view::npos)
            reader_.fail(header_begin + at, "the header is not valid UTF-8: the file is damaged");
        parse_object();
        const std::size_t other = reader_.rest().find_first_not_of(' ');
        if (other != std::string_view::npos)
            reader_.fail(reader_.position() + other, "only spaces may follow the header's object: the file is damaged");
        check_unique();
        check_layout();
        return std::move(header_);
    }

private:
    static constexpr std::uint64_t header_begin = 8;

    void parse_object() {
        std::string name;
        bool has_metadata = false;
        reader_.enter_object();
        while (reader_.next_member(name)) {
            if (name == "__metadata__") {
                if (std::exchange(has_metadata, true)) fail("the key \"__metadata__\" occurs twice");
                parse_metadata();
                continue;
            }
            if (name.size() > limits_.name_bytes)
                fail("the name of tensor " + shown_name(name) + " is longer than the limit of " +
                     std::to_string(limits_.name_bytes) + " bytes (safetensors_limits::name_bytes)");
            if (header_.entries.size() == limits_.tensors)
                fail("the file has more tensors than the limit of " + std::to_string(limits_.tensors) +
                     " (safetensors_limits::tensors)");
            parse_entry(std::move(name));
            name.clear();
        }
    }

    void parse_metadata() {
        std::pair<std::string, std::string> item;
        reader_.enter_object();
        while (reader_.next_member(item.first)) {
            reader_.string(item.second, "a string as the value of __metadata__ key " + shown_name(item.first));
            header_.metadata.push_back(item);
        }
    }

    void parse_entry(std::string name) {
        safetensors_entry entry{std::move(name), {}, {}, 0, 0};
        bool has_dtype = false;
        bool has_shape = false;
        bool has_offsets = false;
        std::string key;
        const auto once = [&](bool& seen) {
            if (std::exchange(seen, true)) fail(entry, "has the key " + shown_name(key) + " twice");
        };
        reader_.enter_object();
        while (reader_.next_member(key)) {
            if (key == "dtype") {
                once(has_dtype);
                parse_dtype(entry);
            } else if (key == "shape") {
                once(has_shape);
                parse_shape(entry);
            } else if (key == "data_offsets") {
                once(has_offsets);
                parse_offsets(entry);
            } else {
                fail(entry,
                     "has the unknown key " + shown_name(key) + ": the format has dtype, shape and data_offsets");
            }
        }
        if (!has_dtype || !has_shape || !has_offsets)
            fail(entry, std::string("has no ") + (!has_dtype ? "dtype" : !has_shape ? "shape" : "data_offsets"));
        check_size(entry);
        header_.entries.push_back(std::move(entry));
    }

    void parse_dtype(safetensors_entry& entry) {
        std::string name;
        reader_.string(name, "a dtype as a string");
        if (const std::optional<dtype> type = dtype_of_safetensors(name)) entry.type = *type;
        else if (is_foreign_safetensors_dtype(name))
            throw error(error_code::unsupported, file_ + ": tensor " + shown_name(entry.name) + " has dtype " + name +
                                                     ", valid in safetensors, not supported here: convert it, for "
                                                     "example to F32 or I64, before saving");
        else
            fail(entry, "has the unknown dtype " + shown_name(name) +
                            ": the supported ones are BOOL, U8, I8, I16, I32, I64, F16, BF16, F32, F64");
    }

    void parse_shape(safetensors_entry& entry) {
        reader_.enter_array();
        while (reader_.next_element()) {
            if (entry.shape.size() == static_cast<std::size_t>(max_rank))
                throw error(error_code::unsupported,
                            file_ + ": tensor " + shown_name(entry.name) + " has more than the " +
                                std::to_string(max_rank) +
                                " axes supported (toroid::max_rank): reshape it before saving");
            entry.shape.push_back(reader_.integer());
        }
    }

    void parse_offsets(safetensors_entry& entry) {
        std::uint64_t offsets[2] = {};
        int count = 0;
        reader_.enter_array();
        while (reader_.next_element()) {
            if (count == 2) fail(entry, "has more than two data_offsets: they are [begin, end]");
            offsets[count++] = static_cast<std::uint64_t>(reader_.integer());
        }
        if (count != 2) fail(entry, "has " + std::to_string(count) + " data_offsets: they are [begin, end]");
        entry.begin = offsets[0];
        entry.end = offsets[1];
        if (entry.begin > entry.end)
            fail(entry, "begins at data offset " + std::to_string(entry.begin) + ", after its end at " +
                            std::to_string(entry.end));
    }

    void check_size(const safetensors_entry& entry) const {
        const std::int64_t element_size = size_of(entry.type);
        const std::optional<std::int64_t> count = checked_element_count(entry.shape, element_size);
        const std::string type_and_shape =
            std::string(safetensors_name_of(entry.type)) + " of shape " + shape_string(entry.shape);
        if (!count) fail(entry, "is " + type_and_shape + ", more than 2^63 - 1 bytes");
        const auto wanted = static_cast<std::uint64_t>(*count * element_size);
        if (entry.byte_size() != wanted)
            fail(entry, "has data_offsets [" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "], " +
                            std::to_string(entry.byte_size()) + " bytes, but " + type_and_shape + " takes " +
                            std::to_string(wanted));
    }

    /// Sorts by name and key, and rejects equal ones: parsers disagree on which of two wins.
    void check_unique() {
        auto& entries = header_.entries;
        sort_by(entries.data(), entries.size(), [](const auto& a, const auto& b) { return a.name < b.name; });
        for (std::size_t i = 1; i < entries.size(); ++i)
            if (entries[i - 1].name == entries[i].name) fail(entries[i], "is listed twice");
        auto& metadata = header_.metadata;
        sort_by(metadata.data(), metadata.size(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < metadata.size(); ++i)
            if (metadata[i - 1].first == metadata[i].first)
                fail("the __metadata__ key " + shown_name(metadata[i].first) + " occurs twice");
    }

    /// The tensors must tile the data section: a hole could hide data, an overlap could amplify it.
    void check_layout() const {
        std::vector<const safetensors_entry*> order;
        order.reserve(header_.entries.size());
        for (const safetensors_entry& entry : header_.entries) order.push_back(&entry);
        sort_by(order.data(), order.size(), [](const auto* a, const auto* b) {
            return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
        });
        std::uint64_t covered = 0;
        const safetensors_entry* previous = nullptr;
        for (const safetensors_entry* entry : order) {
            if (entry->begin > covered)
                fail(*entry, "begins at data offset " + std::to_string(entry->begin) +
                                 ", but the tensors before it end at " + std::to_string(covered) +
                                 ": a hole in the data");
            if (entry->begin < covered)
                fail(*entry, "begins at data offset " + std::to_string(entry->begin) + ", inside tensor " +
                                 shown_name(previous->name) + ", which ends at " + std::to_string(covered));
            covered = entry->end;
            previous = entry;
        }
        if (covered != data_bytes_)
            fail("the tensors take " + std::to_string(covered) + " bytes of data, the file has " +
                 std::to_string(data_bytes_) + ": the file is " +
                 (covered > data_bytes_ ? "truncated, download or save it again" : "followed by bytes of no tensor"));
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw error(error_code::malformed_file, file_ + ": " + message);
    }
    [[noreturn]] void fail(const safetensors_entry& entry, const std::string& message) const {
        fail("tensor " + shown_name(entry.name) + " " + message);
    }

    std::string_view text_;
    std::uint64_t data_bytes_;
    std::string file_;
    safetensors_limits limits_;
    json_reader reader_;
    Header header_;
};

} // namespace detail

/// Parses and checks a whole header. `text`: the header without its 8 length bytes; `data_bytes`: size of the data
/// section; `file`: name for messages. Throws `malformed_file`, or `unsupported` for a dtype or rank the library lacks.
template <class Header = safetensors_header>
Header parse_safetensors_header(std::string_view text, std::uint64_t data_bytes, const std::string& file,
                                const safetensors_limits& limits = {}) {
    return detail::safetensors_header_parser<Header>(text, data_bytes, file, limits).parse();
}

} // namespace toroid
