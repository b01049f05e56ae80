#pragma once
// Files by descriptor, for readers and writers of formats: bounded reads at an offset, and atomic replacement.
// Host only, POSIX.

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <toroid/core/error.hpp>
#include <toroid/storage/json.hpp>

namespace toroid {

/// Path of a file: from a string, or from a std::filesystem::path, whose header is not needed here.
class file_path {
public:
    file_path(std::string text) : text_(std::move(text)) {}
    file_path(std::string_view text) : text_(text) {}
    file_path(const char* text) : text_(text) {}
    template <class Path>
        requires requires(const Path& path) {
            { path.native() } -> std::convertible_to<const std::string&>;
        }
    file_path(const Path& path) : text_(path.native()) {}

    [[nodiscard]] const std::string& string() const noexcept { return text_; }
    [[nodiscard]] const char* c_str() const noexcept { return text_.c_str(); }

private:
    std::string text_;
};

} // namespace toroid

namespace toroid::detail {

static_assert(sizeof(off_t) == 8, "toroid reads weights files of more than 2 GiB: build with -D_FILE_OFFSET_BITS=64");

/// A path for use in a message: on one line.
inline std::string display_name(const file_path& path) { return json_escaped(path.string()); }

inline std::string system_message(int number) { return std::strerror(number); }

/// Bytes to ask the system for in one call: its own limit is just below 2 GiB.
constexpr std::size_t bytes_at_once(std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    return bytes < most ? bytes : most;
}

/// Owner of a descriptor.
class file_descriptor {
public:
    explicit file_descriptor(int value = -1) noexcept : value_(value) {}
    file_descriptor(file_descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~file_descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    [[nodiscard]] int get() const noexcept { return value_; }
    /// Closes now; false with errno where the system reports an error.
    bool close() noexcept { return ::close(std::exchange(value_, -1)) == 0; }

private:
    int value_;
};

/// A regular file opened for reading. Its size is that at opening; a file that shrinks later makes `read` throw.
class input_file {
public:
    explicit input_file(const file_path& path) : name_(display_name(path)) {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        descriptor_ = file_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        if (descriptor_.get() < 0) fail("cannot be opened: " + system_message(errno) + "; check the path");
        struct stat status {};
        if (::fstat(descriptor_.get(), &status) != 0) fail("cannot be examined: " + system_message(errno));
        if (!S_ISREG(status.st_mode)) fail("is not a regular file");
        size_ = static_cast<std::uint64_t>(status.st_size);
    }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Fills `destination` with `bytes` bytes from `offset`, or throws `error_code::io_error`. Safe from many threads.
    void read(std::uint64_t offset, void* destination, std::size_t bytes) const {
        auto* next = static_cast<std::byte*>(destination);
        while (bytes != 0) {
            const ssize_t got = ::pread(descriptor_.get(), next, bytes_at_once(bytes), static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail("byte " + std::to_string(offset) + ": cannot be read: " + system_message(errno));
            if (got == 0)
                fail("byte " + std::to_string(offset) + ": the file ends here, " + std::to_string(bytes) +
                     " bytes early: it shrank while it was being read");
            next += got;
            offset += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::size_t>(got);
        }
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        throw error(error_code::io_error, name_ + ": " + message);
    }

    std::string name_;
    file_descriptor descriptor_;
    std::uint64_t size_ = 0;
};

/// Writes a new file beside `path` and moves it there in `commit`, so that a reader sees the old or the new file whole.
/// Without `commit` nothing is left behind. Throws `error_code::io_error`.
class replacing_file {
public:
    explicit replacing_file(const file_path& path) : path_(path) {
        static unsigned counter = 0;
        do {
            temporary_ = path.string() + ".partial-" + std::to_string(::getpid()) + "-" +
                         std::to_string(__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED));
            descriptor_ = file_descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        } while (descriptor_.get() < 0 && errno == EEXIST);
        if (descriptor_.get() < 0) fail("cannot create " + display_name(temporary_));
    }
    replacing_file(const replacing_file&) = delete;
    replacing_file& operator=(const replacing_file&) = delete;
    ~replacing_file() {
        if (!committed_) ::unlink(temporary_.c_str());
    }

    void write(const void* source, std::size_t bytes) {
        const auto* next = static_cast<const std::byte*>(source);
        while (bytes != 0) {
            const ssize_t written = ::write(descriptor_.get(), next, bytes_at_once(bytes));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail("cannot write " + std::to_string(bytes) + " bytes");
            next += written;
            bytes -= static_cast<std::size_t>(written);
        }
    }

    /// Flushes to the disk and takes the place of `path`.
    void commit() {
        if (::fsync(descriptor_.get()) != 0) fail("cannot flush");
        if (!descriptor_.close()) fail("cannot close");
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot replace it");
        committed_ = true;
    }

private:
    [[noreturn]] void fail(const std::string& message) const {
        throw error(error_code::io_error, display_name(path_) + ": " + message + ": " + system_message(errno));
    }

    file_path path_;
    std::string temporary_;
    file_descriptor descriptor_;
    bool committed_ = false;
};

} // namespace toroid::detail
