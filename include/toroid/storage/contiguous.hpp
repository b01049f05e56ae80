#pragma once
// Copies between strided and contiguous arrays. Host only.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <toroid/core/dtype.hpp>
#include <toroid/storage/array.hpp>
#include <toroid/storage/array_view.hpp>
#include <toroid/storage/extent_list.hpp>

namespace toroid {

/// A C-contiguous, 64-byte aligned copy of any view, element by element in row-major order.
template <dtype T, bool Mutable> array<T> contiguous(const basic_array_view<T, Mutable>& view) {
    array<T> result = array<T>::uninitialized(view.extents());
    if (view.size() == 0) return result;
    if (view.is_contiguous()) {
        std::memcpy(result.data(), view.data(), result.size_bytes());
        return result;
    }
    // Rows along the last axis; the axes before it count like an odometer.
    const int last = view.rank() - 1;
    const std::int64_t length = view.extent(last);
    const std::int64_t step = view.stride(last);
    extent_list index = view.extents();
    for (int axis = 0; axis <= last; ++axis) index[axis] = 0;
    std::int64_t row = 0;
    storage_t<T>* destination = result.data();
    for (bool more = true; more;) {
        for (std::int64_t i = 0; i < length; ++i) *destination++ = view.data()[row + i * step];
        more = false;
        for (int axis = last - 1; axis >= 0 && !more; --axis) {
            row += view.stride(axis);
            more = ++index[axis] < view.extent(axis);
            if (!more) {
                row -= view.stride(axis) * view.extent(axis);
                index[axis] = 0;
            }
        }
    }
    return result;
}

} // namespace toroid
