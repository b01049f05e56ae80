#pragma once
// An owning, aligned block of bytes. Host only.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include <toroid/core/error.hpp>

namespace toroid {

/// One cache line, and the widest vector register.
inline constexpr std::size_t default_alignment = 64;

/// Owning block of uninitialised bytes, move-only. Zero bytes allocate nothing and `data()` is null.
/// Throws `error_code::out_of_memory`, or `invalid_argument` where the alignment is no power of two.
class aligned_buffer {
public:
    aligned_buffer() = default;
    explicit aligned_buffer(std::size_t bytes, std::size_t alignment = default_alignment) : alignment_(alignment) {
        if (!std::has_single_bit(alignment))
            throw error(error_code::invalid_argument,
                        "alignment " + std::to_string(alignment) + " is not a power of two: use 64, for example");
        if (bytes == 0) return;
        // No object may exceed PTRDIFF_MAX bytes; asking the allocator would only be slower.
        if (bytes <= static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()))
            data_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}, std::nothrow));
        if (data_ == nullptr)
            throw error(error_code::out_of_memory,
                        "cannot allocate " + std::to_string(bytes) + " bytes: free memory or use smaller extents");
        size_ = bytes;
    }
    aligned_buffer(aligned_buffer&& other) noexcept { swap(other); }
    aligned_buffer& operator=(aligned_buffer&& other) noexcept {
        aligned_buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~aligned_buffer() { ::operator delete(data_, std::align_val_t{alignment_}); }

    [[nodiscard]] std::byte* data() noexcept { return data_; }
    [[nodiscard]] const std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t alignment() const noexcept { return alignment_; }

    void swap(aligned_buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(alignment_, other.alignment_);
    }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t alignment_ = default_alignment;
};

/// True when the address is a multiple of `bytes`; null is aligned.
inline bool is_aligned(const void* address, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

} // namespace toroid
