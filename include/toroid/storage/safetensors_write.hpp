#pragma once
// Writes safetensors files: header padded to 8 bytes, tensors by falling element size, then by name. Host only.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/array.hpp>
#include <toroid/storage/array_view.hpp>
#include <toroid/storage/extent_list.hpp>
#include <toroid/storage/file.hpp>
#include <toroid/storage/json.hpp>
#include <toroid/storage/safetensors_header.hpp>

namespace toroid {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian and is written as it is");

/// A named tensor to write; the elements stay the caller's and must live through the call.
struct safetensors_tensor {
    std::string name;
    dtype type;
    extent_list shape;
    const void* data;

    safetensors_tensor(std::string tensor_name, dtype element_type, const extent_list& extents, const void* elements)
        : name(std::move(tensor_name)), type(element_type), shape(extents), data(elements) {
        if (elements == nullptr && byte_size() != 0)
            throw error(error_code::invalid_argument, "tensor " + detail::shown_name(name) + " has " +
                                                          std::to_string(byte_size()) + " bytes and a null pointer");
    }
    template <dtype T>
    safetensors_tensor(std::string tensor_name, const array<T>& values)
        : safetensors_tensor(std::move(tensor_name), T, values.extents(), values.data()) {}
    /// A view must be contiguous.
    template <dtype T, bool Mutable>
    safetensors_tensor(std::string tensor_name, const basic_array_view<T, Mutable>& values)
        : safetensors_tensor(std::move(tensor_name), T, values.extents(), values.data()) {
        if (!values.is_contiguous())
            throw error(error_code::invalid_argument, "tensor " + detail::shown_name(name) + " has strides " +
                                                          shape_string(values.strides()) + " for extents " +
                                                          shape_string(shape) + ": write contiguous(view)");
    }

    [[nodiscard]] std::size_t byte_size() const {
        return static_cast<std::size_t>(element_count(shape, size_of(type)) * size_of(type));
    }
};

namespace detail {

/// Rejects names that a reader would reject.
inline void check_names(std::vector<std::string_view> names, const std::string& what) {
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto fail = [&](const std::string& message) {
            std::string text = what;
            text.append(" ").append(shown_name(names[i])).append(" ").append(message);
            throw error(error_code::invalid_argument, text);
        };
        if (names[i] == "__metadata__") fail("has the one name that the format reserves: rename it");
        if (names[i].size() > safetensors_limits{}.name_bytes)
            fail("is longer than " + std::to_string(safetensors_limits{}.name_bytes) + " bytes: rename it");
        if (find_invalid_utf8(names[i]) != std::string_view::npos)
            throw error(error_code::invalid_argument,
                        what + " number " + std::to_string(i) + " in the order of names is not valid UTF-8: rename it");
        if (i != 0 && names[i - 1] == names[i]) fail("is given twice: rename one");
    }
}

inline void check_texts(std::span<const safetensors_tensor> tensors,
                        std::span<const std::pair<std::string, std::string>> metadata) {
    std::vector<std::string_view> names;
    for (const safetensors_tensor& tensor : tensors) names.push_back(tensor.name);
    check_names(std::move(names), "tensor");
    std::vector<std::string_view> keys;
    for (const auto& [key, value] : metadata) {
        keys.push_back(key);
        if (find_invalid_utf8(value) != std::string_view::npos)
            throw error(error_code::invalid_argument,
                        "the metadata value of key " + shown_name(key) + " is not valid UTF-8: encode it first");
    }
    check_names(std::move(keys), "metadata key");
}

inline std::string json_string(std::string_view text) { return '"' + json_escaped(text) + '"'; }

/// The eight length bytes and the padded header of tensors in file order.
inline std::string safetensors_header_bytes(std::span<const safetensors_tensor* const> order,
                                            std::span<const std::pair<std::string, std::string>> metadata) {
    std::string text = "{";
    if (!metadata.empty()) {
        text += "\"__metadata__\":{";
        for (std::size_t i = 0; i < metadata.size(); ++i)
            text += (i == 0 ? "" : ",") + json_string(metadata[i].first) + ':' + json_string(metadata[i].second);
        text += '}';
    }
    std::size_t offset = 0;
    for (const safetensors_tensor* tensor : order) {
        const std::size_t end = offset + tensor->byte_size();
        std::string shape = shape_string(tensor->shape);
        std::erase(shape, ' ');
        if (text.size() != 1) text += ',';
        text += json_string(tensor->name) + ":{\"dtype\":\"" + std::string(safetensors_name_of(tensor->type)) +
                "\",\"shape\":" + shape + ",\"data_offsets\":[" + std::to_string(offset) + ',' + std::to_string(end) +
                "]}";
        offset = end;
    }
    text += '}';
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i) & 0xff);
    return length + text;
}

} // namespace detail

/// Writes tensors and metadata strings to `path`, replacing a file there in one step: a failure leaves the old file.
/// The same input always gives the same bytes. Throws `invalid_argument` for a bad or repeated name, `io_error` for a
/// file that cannot be written.
inline void write_safetensors(const file_path& path, std::span<const safetensors_tensor> tensors,
                              std::span<const std::pair<std::string, std::string>> metadata = {}) {
    std::vector<const safetensors_tensor*> order;
    for (const safetensors_tensor& tensor : tensors) order.push_back(&tensor);
    // Large elements first: with the padded header, every tensor is then aligned to its element.
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::pair(size_of(b->type), std::string_view(a->name)) <
               std::pair(size_of(a->type), std::string_view(b->name));
    });
    detail::check_texts(tensors, metadata);

    const std::string header = detail::safetensors_header_bytes(order, metadata);
    detail::replacing_file file(path);
    file.write(header.data(), header.size());
    for (const safetensors_tensor* tensor : order) file.write(tensor->data, tensor->byte_size());
    file.commit();
}

/// `write_safetensors("w.safetensors", {{"fc1.weight", w}, {"fc1.bias", b}});`
inline void write_safetensors(const file_path& path, std::initializer_list<safetensors_tensor> tensors,
                              std::span<const std::pair<std::string, std::string>> metadata = {}) {
    write_safetensors(path, std::span<const safetensors_tensor>(tensors.begin(), tensors.size()), metadata);
}

} // namespace toroid
