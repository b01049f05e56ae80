#pragma once
// Non-owning views of run-time arrays: a pointer, extents and strides. Host only.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/aligned_buffer.hpp>
#include <toroid/storage/extent_list.hpp>

namespace toroid {

/// View of elements of `T` that somebody else owns; strides are in elements and may be zero or negative.
/// Throws `error_code::invalid_argument` for bad extents, a stride for other than each axis, or a null pointer to
/// elements.
template <dtype T, bool Mutable> class basic_array_view {
public:
    static constexpr dtype type = T;
    using element = std::conditional_t<Mutable, storage_t<T>, const storage_t<T>>;

    /// C-contiguous elements.
    basic_array_view(element* data, const extent_list& extents)
        : data_(data), size_(element_count(extents, size_of(T))), extents_(extents),
          strides_(contiguous_strides(extents)) {
        check_pointer();
    }
    basic_array_view(element* data, const extent_list& extents, const extent_list& strides)
        : data_(data), size_(element_count(extents, size_of(T))), extents_(extents), strides_(strides) {
        if (strides.size() != extents.size())
            throw error(error_code::invalid_argument, "strides " + shape_string(strides) + " and extents " +
                                                          shape_string(extents) + " differ in rank");
        check_pointer();
    }
    /// A mutable view is also a read-only one. A template, lest it be the copy constructor of mutable views.
    template <bool Other>
        requires(Other && !Mutable)
    basic_array_view(const basic_array_view<T, Other>& other)
        : basic_array_view(other.data(), other.extents(), other.strides()) {}

    [[nodiscard]] element* data() const noexcept { return data_; }
    /// Number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] int rank() const noexcept { return extents_.size(); }
    [[nodiscard]] const extent_list& extents() const noexcept { return extents_; }
    [[nodiscard]] const extent_list& strides() const noexcept { return strides_; }
    [[nodiscard]] std::int64_t extent(int axis) const { return extents_[axis]; }
    [[nodiscard]] std::int64_t stride(int axis) const { return strides_[axis]; }

    /// True when the elements are in row-major order without gaps; strides of axes of extent 1 do not matter.
    [[nodiscard]] bool is_contiguous() const noexcept {
        const extent_list wanted = contiguous_strides(extents_);
        for (int axis = 0; axis < rank(); ++axis)
            if (size_ != 0 && extents_[axis] != 1 && strides_[axis] != wanted[axis]) return false;
        return true;
    }
    /// True when the first element's address is a multiple of `bytes`.
    [[nodiscard]] bool is_aligned(std::size_t bytes) const noexcept { return toroid::is_aligned(data_, bytes); }

    /// One element, bounds-checked.
    element& at(const extent_list& indices) const { return data_[checked_offset(indices, extents_, strides_)]; }
    /// One element, bounds-checked: `x(i, j)`.
    template <std::convertible_to<std::int64_t>... Index> element& operator()(Index... indices) const {
        return at({static_cast<std::int64_t>(indices)...});
    }

private:
    void check_pointer() const {
        if (data_ == nullptr && size_ != 0)
            throw error(error_code::invalid_argument, "a null pointer was given for " + std::to_string(size_) +
                                                          " elements of extents " + shape_string(extents_));
    }

    element* data_;
    std::int64_t size_;
    extent_list extents_;
    extent_list strides_;
};

/// Read-only view.
template <dtype T> using array_view = basic_array_view<T, false>;
/// View whose elements can be written.
template <dtype T> using mutable_array_view = basic_array_view<T, true>;

} // namespace toroid
