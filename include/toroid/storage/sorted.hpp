#pragma once
// Sorting and binary search for small host-side tables. Own, since <algorithm> and its instantiations cost every user of
// the library more than the rest of storage does. Host only.

#include <cstddef>
#include <utility>

namespace toroid::detail {

/// Sorts `size` elements so that no later one is `less` than an earlier one. Heap sort: in place, never quadratic, not
/// stable.
template <class T, class Less> void sort_by(T* data, std::size_t size, Less less) {
    // Moves data[root] down until neither child is larger.
    const auto sift_down = [&](std::size_t root, std::size_t end) {
        for (std::size_t child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && less(data[child], data[child + 1])) ++child;
            if (!less(data[root], data[child])) return;
            std::swap(data[root], data[child]);
        }
    };
    for (std::size_t root = size / 2; root-- > 0;) sift_down(root, size);
    for (std::size_t end = size; end-- > 1;) {
        std::swap(data[0], data[end]);
        sift_down(0, end);
    }
}

/// Number of elements at the front for which `before` is true; it must not turn true again.
template <class T, class Before> std::size_t partition_point(const T* data, std::size_t size, Before before) {
    std::size_t first = 0;
    while (first != size) {
        const std::size_t middle = first + (size - first) / 2;
        if (before(data[middle])) first = middle + 1;
        else size = middle;
    }
    return first;
}

} // namespace toroid::detail
