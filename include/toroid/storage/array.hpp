#pragma once
// An owning array of run-time extents: C-contiguous and aligned. Host only.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/aligned_buffer.hpp>
#include <toroid/storage/array_view.hpp>
#include <toroid/storage/extent_list.hpp>

namespace toroid {

/// Owning array of dtype `T`, row-major, at 64 bytes, bool in one byte per element. Copies are deep.
/// Zero extents are legal; rank 0 has one element. Without arguments, and after a move: extents [0].
/// Bad extents throw `error_code::invalid_argument`, lack of memory `out_of_memory`.
template <dtype T> class array {
public:
    static constexpr dtype type = T;
    using element = storage_t<T>;
    static_assert(std::is_trivially_copyable_v<element> && sizeof(element) == static_cast<std::size_t>(size_of(T)));

    explicit array() noexcept {}
    /// Zeros: `array<f32>({2, 3})`.
    explicit array(const extent_list& extents) : array(extents, no_values{}) {
        if (size_ != 0) std::memset(buffer_.data(), 0, buffer_.size());
    }
    /// Values in row-major order: `array<f32>({2, 2}, {1, 2, 3, 4})`. Half types take floats and round once.
    array(const extent_list& extents, std::initializer_list<compute_t<T>> values) : array(extents, no_values{}) {
        check_count(values.size());
        element* next = data();
        for (const compute_t<T> value : values) *next++ = static_cast<element>(value);
    }
    /// Copy of values in row-major order.
    array(const extent_list& extents, std::span<const element> values) : array(extents, no_values{}) {
        check_count(values.size());
        if (size_ != 0) std::memcpy(data(), values.data(), values.size_bytes());
    }
    /// Elements with indeterminate values, for a caller that writes all of them.
    [[nodiscard]] static array uninitialized(const extent_list& extents) { return array(extents, no_values{}); }

    array(const array& other) : array(other.extents_, no_values{}) {
        if (size_ != 0) std::memcpy(buffer_.data(), other.buffer_.data(), buffer_.size());
    }
    array(array&& other) noexcept { swap(other); }
    array& operator=(const array& other) {
        array copy(other);
        swap(copy);
        return *this;
    }
    array& operator=(array&& other) noexcept {
        array taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~array() = default;

    [[nodiscard]] element* data() noexcept { return reinterpret_cast<element*>(buffer_.data()); }
    [[nodiscard]] const element* data() const noexcept { return reinterpret_cast<const element*>(buffer_.data()); }
    /// Number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return buffer_.size(); }
    [[nodiscard]] int rank() const noexcept { return extents_.size(); }
    [[nodiscard]] const extent_list& extents() const noexcept { return extents_; }
    [[nodiscard]] std::int64_t extent(int axis) const { return extents_[axis]; }
    /// All elements in row-major order.
    [[nodiscard]] std::span<element> span() noexcept { return {data(), static_cast<std::size_t>(size_)}; }
    [[nodiscard]] std::span<const element> span() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }

    /// One element, bounds-checked.
    element& at(const extent_list& indices) { return data()[offset(indices)]; }
    const element& at(const extent_list& indices) const { return data()[offset(indices)]; }
    /// One element, bounds-checked: `x(i, j)`.
    template <std::convertible_to<std::int64_t>... Index> element& operator()(Index... indices) {
        return at({static_cast<std::int64_t>(indices)...});
    }
    template <std::convertible_to<std::int64_t>... Index> const element& operator()(Index... indices) const {
        return at({static_cast<std::int64_t>(indices)...});
    }
    void fill(compute_t<T> value) {
        for (element& each : span()) each = static_cast<element>(value);
    }

    [[nodiscard]] array_view<T> view() const { return {data(), extents_}; }
    [[nodiscard]] mutable_array_view<T> mutable_view() { return {data(), extents_}; }
    operator array_view<T>() const { return view(); }
    operator mutable_array_view<T>() { return mutable_view(); }

    void swap(array& other) noexcept {
        buffer_.swap(other.buffer_);
        std::swap(size_, other.size_);
        std::swap(extents_, other.extents_);
    }

private:
    struct no_values {};

    array(const extent_list& extents, no_values)
        : buffer_(static_cast<std::size_t>(element_count(extents, size_of(T)) * size_of(T))),
          size_(static_cast<std::int64_t>(buffer_.size()) / size_of(T)), extents_(extents) {}

    void check_count(std::size_t count) const {
        if (count != static_cast<std::size_t>(size_))
            throw error(error_code::invalid_argument, std::to_string(count) + " values were given for extents " +
                                                          shape_string(extents_) + ", which hold " +
                                                          std::to_string(size_));
    }
    [[nodiscard]] std::int64_t offset(const extent_list& indices) const {
        return checked_offset(indices, extents_, contiguous_strides(extents_));
    }

    aligned_buffer buffer_;
    std::int64_t size_ = 0;
    extent_list extents_ = {0};
};

} // namespace toroid
