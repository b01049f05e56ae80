#pragma once
// Reads weights from safetensors files, which are treated as hostile: everything is checked before use. Host only.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/array.hpp>
#include <toroid/storage/file.hpp>
#include <toroid/storage/json.hpp>
#include <toroid/storage/safetensors_header.hpp>
#include <toroid/storage/sorted.hpp>

namespace toroid {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian and is read as it is");

namespace detail {

/// What a file is whose first 8 bytes give no plausible header length, as " (...)", or nothing.
constexpr std::string_view foreign_format(std::string_view first) {
    if (first.starts_with("PK\x03\x04"))
        return " (it starts like a zip: a PyTorch .pt or .bin file? Save it with safetensors)";
    if (first.starts_with("\x80\x02"))
        return " (it starts like a pickle: an old PyTorch file? Save it with safetensors)";
    if (first.starts_with("GGUF")) return " (it starts like a GGUF file)";
    if (first.starts_with("version ")) return " (it starts like a Git LFS pointer: run git lfs pull)";
    return "";
}

} // namespace detail

//=== file ===//

/// An open safetensors file whose header has passed every check of the format. Data is read on demand with `pread` into
/// memory of the caller, so a file that is truncated or replaced meanwhile gives an error or other values, not a crash.
/// Throws `io_error` (cannot be opened or read), `malformed_file`, `unsupported` (a dtype or rank the library lacks),
/// `out_of_memory`. Reading from several threads is safe.
class safetensors_file {
public:
    /// `Limits` is safetensors_limits; a template, so that only programs that read files compile what it calls.
    template <std::same_as<safetensors_limits> Limits = safetensors_limits>
    explicit safetensors_file(const file_path& path, const Limits& limits = {}) : file_(path) {
        try {
            read_header(limits);
        } catch (const std::bad_alloc&) {
            throw error(error_code::out_of_memory, name() + ": no memory for its header");
        }
    }

    /// The path, as messages show it.
    [[nodiscard]] const std::string& name() const noexcept { return file_.name(); }
    /// All tensors, sorted by name.
    [[nodiscard]] std::span<const safetensors_entry> entries() const noexcept { return header_.entries; }
    /// The `__metadata__` strings, sorted by key.
    [[nodiscard]] std::span<const std::pair<std::string, std::string>> metadata() const noexcept {
        return header_.metadata;
    }
    /// The tensor of that name, or null.
    [[nodiscard]] const safetensors_entry* find(std::string_view name) const {
        const auto& entries = header_.entries;
        const std::size_t at =
            detail::partition_point(entries.data(), entries.size(), [&](const auto& e) { return e.name < name; });
        return at != entries.size() && entries[at].name == name ? &entries[at] : nullptr;
    }

    /// Copies a tensor of this file, row-major, to `destination`, whose size must be the tensor's.
    /// A bool byte other than 0 and 1 is `malformed_file`; floating-point payloads are taken as they are.
    void read(const safetensors_entry& entry, void* destination, std::size_t bytes) const {
        if (bytes != entry.byte_size())
            throw error(error_code::invalid_argument, name() + ": tensor " + detail::shown_name(entry.name) + " has " +
                                                          std::to_string(entry.byte_size()) +
                                                          " bytes, the destination has " + std::to_string(bytes));
        file_.read(data_begin_ + entry.begin, destination, bytes);
        if (entry.type == dtype::bool_) check_booleans(entry, {static_cast<const unsigned char*>(destination), bytes});
    }
    /// The tensor of that name as an array. Throws `weights_mismatch` where there is none or its dtype is not `T`.
    template <dtype T> [[nodiscard]] array<T> read(std::string_view tensor) const {
        const safetensors_entry* const entry = find(tensor);
        if (entry == nullptr)
            throw error(error_code::weights_mismatch, name() + ": has no tensor " + detail::shown_name(tensor) +
                                                          " among its " + std::to_string(entries().size()));
        if (entry->type != T)
            throw error(error_code::weights_mismatch, name() + ": tensor " + detail::shown_name(tensor) +
                                                          " has dtype " +
                                                          std::string(safetensors_name_of(entry->type)) + ", not " +
                                                          std::string(safetensors_name_of(T)));
        array<T> values = array<T>::uninitialized(entry->shape);
        read(*entry, values.data(), values.size_bytes());
        return values;
    }

private:
    template <class Limits> void read_header(const Limits& limits) {
        if (file_.size() < 8)
            fail("has " + std::to_string(file_.size()) +
                 " bytes, a safetensors file has at least 8: download or save it again");
        char first[8];
        file_.read(0, first, sizeof first);
        std::uint64_t header_bytes = 0;
        for (int i = 7; i >= 0; --i) header_bytes = header_bytes << 8 | static_cast<unsigned char>(first[i]);

        constexpr std::uint64_t format_limit = safetensors_limits{}.header_bytes;
        const std::uint64_t most = limits.header_bytes < format_limit ? limits.header_bytes : format_limit;
        const std::string says = "byte 0: the header length is " + std::to_string(header_bytes);
        const std::string hint(detail::foreign_format({first, sizeof first}));
        if (header_bytes > most)
            fail(says + ", more than the limit of " + std::to_string(most) + ": not a safetensors file" + hint);
        if (header_bytes > file_.size() - 8)
            fail(says + ", but " + std::to_string(file_.size() - 8) +
                 " bytes follow: the file is truncated or not a safetensors file" + hint);

        std::string text(static_cast<std::size_t>(header_bytes), '\0');
        file_.read(8, text.data(), text.size());
        data_begin_ = 8 + header_bytes;
        header_ = parse_safetensors_header(text, file_.size() - data_begin_, name(), limits);
    }

    /// Any other byte in a `bool` would be undefined behaviour in the reader.
    void check_booleans(const safetensors_entry& entry, std::span<const unsigned char> bytes) const {
        std::size_t at = 0;
        while (at != bytes.size() && bytes[at] <= 1) ++at;
        if (at == bytes.size()) return;
        fail("byte " + std::to_string(data_begin_ + entry.begin + at) + ": tensor " + detail::shown_name(entry.name) +
             " is BOOL but holds the byte " + std::to_string(bytes[at]) + ": only 0 and 1 are booleans");
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw error(error_code::malformed_file, name() + ": " + message);
    }

    detail::input_file file_;
    safetensors_header header_;
    std::uint64_t data_begin_ = 0;
};

//=== validation ===//

/// What a model wants of a weights file.
struct expected_tensor {
    std::string name;
    dtype type;
    std::vector<std::int64_t> shape;
};

namespace detail {

/// Differences between a file and a model, listed up to a number of lines and counted beyond it.
class mismatch_list {
public:
    void add(const std::string& line) {
        if (count_++ < most_lines) text_.append(text_.empty() ? "" : "\n  ").append(line);
    }
    [[nodiscard]] bool full() const { return count_ >= most_lines; }

    /// Throws if there is any difference: one on the line of the file name, several on a line each.
    void throw_if_any(const std::string& file) const {
        if (count_ == 0) return;
        if (count_ == 1) throw error(error_code::weights_mismatch, file + ": " + text_);
        std::string message = file + ": " + std::to_string(count_) + " differences from the model\n  " + text_;
        if (count_ > most_lines) message += "\n  and " + std::to_string(count_ - most_lines) + " more";
        throw error(error_code::weights_mismatch, message);
    }

private:
    static constexpr std::size_t most_lines = 8;
    std::string text_; // the first lines
    std::size_t count_ = 0;
};

inline void compare(const safetensors_entry& entry, const expected_tensor& wanted, mismatch_list& differences) {
    const std::string tensor = "tensor " + shown_name(wanted.name);
    if (entry.type != wanted.type)
        differences.add(tensor + " has dtype " + std::string(safetensors_name_of(entry.type)) + ", the model wants " +
                        std::string(safetensors_name_of(wanted.type)));
    if (entry.shape == wanted.shape) return;
    const bool transposed = entry.shape.size() == 2 && wanted.shape.size() == 2 && entry.shape[0] == wanted.shape[1] &&
                            entry.shape[1] == wanted.shape[0];
    differences.add(tensor + " has shape " + shape_string(entry.shape) + ", the model wants " +
                    shape_string(wanted.shape) + (transposed ? " (PyTorch's [out, in] layout)" : ""));
}

/// True for names that differ by a leading path, as "model.fc1.weight" and "fc1.weight".
inline bool differ_by_prefix(std::string_view a, std::string_view b) {
    const std::string_view longer = a.size() > b.size() ? a : b;
    const std::string_view shorter = a.size() > b.size() ? b : a;
    return longer.size() > shorter.size() && longer.ends_with(shorter) &&
           longer[longer.size() - shorter.size() - 1] == '.';
}

} // namespace detail

/// Compares names, dtypes and shapes of a file with a model's, before any data is read. All differences (missing,
/// unexpected, dtype, shape) are in one `error_code::weights_mismatch`, eight of them spelled out.
template <std::same_as<safetensors_file> File = safetensors_file>
void validate(const File& file, std::span<const expected_tensor> expected) {
    detail::mismatch_list differences;
    std::vector<std::string_view> names;
    for (const expected_tensor& wanted : expected) names.push_back(wanted.name);
    detail::sort_by(names.data(), names.size(), [](const auto& a, const auto& b) { return a < b; });
    std::vector<std::string_view> unexpected;
    for (const safetensors_entry& entry : file.entries()) {
        const std::size_t at = detail::partition_point(names.data(), names.size(),
                                                       [&](std::string_view name) { return name < entry.name; });
        if (at == names.size() || names[at] != entry.name) unexpected.push_back(entry.name);
    }

    for (const expected_tensor& wanted : expected) {
        if (const safetensors_entry* const entry = file.find(wanted.name)) {
            detail::compare(*entry, wanted, differences);
            continue;
        }
        std::string line = "has no tensor " + detail::shown_name(wanted.name) + ", the model wants " +
                           std::string(safetensors_name_of(wanted.type)) + " of shape " + shape_string(wanted.shape);
        if (!differences.full()) {
            for (const std::string_view name : unexpected) {
                if (!detail::differ_by_prefix(name, wanted.name)) continue;
                line += " (it has " + detail::shown_name(name) + ": rename one of them)";
                break;
            }
        }
        differences.add(line);
    }
    for (const std::string_view name : unexpected)
        differences.add("has the tensor " + detail::shown_name(name) + ", which the model does not want");
    differences.throw_if_any(file.name());
}

} // namespace toroid
