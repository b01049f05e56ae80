#pragma once
// What the tests of this folder share: a directory that disappears, raw files, and errors as values.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include <toroid/core/error.hpp>

namespace toroid::tests {

/// A fresh directory, removed with its content at the end of the scope.
class temporary_directory {
public:
    temporary_directory() {
        static std::atomic<int> counter{0};
        path_ = std::filesystem::temp_directory_path() /
                ("toroid_storage_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
        std::filesystem::create_directory(path_);
    }
    temporary_directory(const temporary_directory&) = delete;
    temporary_directory& operator=(const temporary_directory&) = delete;
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::ptrdiff_t file_count() const {
        return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
    }

private:
    std::filesystem::path path_;
};

/// Writes a new file. An old one is removed first: file systems flush a truncated file to the disk as it closes.
inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The eight length bytes of safetensors, the header and the data.
inline std::string safetensors_bytes(std::uint64_t length, std::string_view header, std::string_view data = {}) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
    return bytes.append(header).append(data);
}
inline std::string safetensors_bytes(std::string_view header, std::string_view data = {}) {
    return safetensors_bytes(header.size(), header, data);
}

/// What a call threw: `thrown` is false for none. Exceptions of other types pass through and fail the test.
struct outcome {
    bool thrown = false;
    error_code code{};
    std::string message;

    [[nodiscard]] bool says(std::string_view text) const { return message.find(text) != std::string::npos; }
    [[nodiscard]] bool is_one_line() const { return thrown && message.find('\n') == std::string::npos; }
};

template <class Call> outcome outcome_of(Call&& call) {
    try {
        call();
    } catch (const error& e) { return {true, e.code(), e.what()}; }
    return {};
}

} // namespace toroid::tests
