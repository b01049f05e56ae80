#pragma once
// Up to max_rank integers, the run-time extents or strides of an array, and checked arithmetic on them. Host only.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include <toroid/core/config.hpp>
#include <toroid/core/error.hpp>

namespace toroid {

//=== text ===//

/// "[2, 3]", as PyTorch prints a shape.
inline std::string shape_string(std::span<const std::int64_t> values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != 0) text += ", ";
        text += std::to_string(values[i]);
    }
    return text + "]";
}

//=== extent_list ===//

/// Run-time extents, strides or indices of one array, by value and without allocation. Default: rank 0.
/// More than `max_rank` values throw `error_code::invalid_argument`.
class extent_list {
public:
    constexpr extent_list() = default;
    constexpr extent_list(std::initializer_list<std::int64_t> values) { assign({values.begin(), values.size()}); }
    /// From a vector, array or span of `std::int64_t`.
    template <class Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, extent_list> &&
                 std::convertible_to<const Range&, std::span<const std::int64_t>>)
    constexpr extent_list(const Range& values) {
        assign(std::span<const std::int64_t>(values));
    }

    [[nodiscard]] constexpr int size() const { return size_; }
    [[nodiscard]] constexpr const std::int64_t* begin() const { return values_; }
    [[nodiscard]] constexpr const std::int64_t* end() const { return values_ + size_; }
    /// The value of one axis, unchecked.
    [[nodiscard]] constexpr std::int64_t operator[](int axis) const { return values_[axis]; }
    constexpr std::int64_t& operator[](int axis) { return values_[axis]; }
    constexpr operator std::span<const std::int64_t>() const { return {values_, static_cast<std::size_t>(size_)}; }

    friend constexpr bool operator==(const extent_list& a, const extent_list& b) {
        if (a.size_ != b.size_) return false;
        for (int i = 0; i < a.size_; ++i)
            if (a.values_[i] != b.values_[i]) return false;
        return true;
    }

private:
    constexpr void assign(std::span<const std::int64_t> values) {
        if (values.size() > static_cast<std::size_t>(max_rank))
            throw error(error_code::invalid_argument, shape_string(values) + " has " + std::to_string(values.size()) +
                                                          " axes, the most is " + std::to_string(max_rank) +
                                                          " (toroid::max_rank): merge axes");
        for (const std::int64_t value : values) values_[size_++] = value;
    }

    std::int64_t values_[max_rank] = {};
    int size_ = 0;
};

//=== sizes ===//

/// Number of elements, or nothing where an extent is negative or an array of these extents could not be addressed:
/// the product of the non-zero extents and the element size must be at most 2^63 - 1, so strides never overflow.
constexpr std::optional<std::int64_t> checked_element_count(std::span<const std::int64_t> extents,
                                                            std::int64_t element_size) {
    std::int64_t bytes = element_size;
    bool empty = false;
    for (const std::int64_t extent : extents) {
        if (extent < 0) return std::nullopt;
        if (extent == 0) {
            empty = true;
            continue;
        }
        if (bytes > std::numeric_limits<std::int64_t>::max() / extent) return std::nullopt;
        bytes *= extent;
    }
    return empty ? 0 : bytes / element_size;
}

/// Number of elements; throws `error_code::invalid_argument` where `checked_element_count` gives nothing.
constexpr std::int64_t element_count(std::span<const std::int64_t> extents, std::int64_t element_size) {
    if (const std::optional<std::int64_t> count = checked_element_count(extents, element_size)) return *count;
    for (const std::int64_t extent : extents)
        if (extent < 0)
            throw error(error_code::invalid_argument, "extents " + shape_string(extents) + " contain " +
                                                          std::to_string(extent) + ": an extent is at least 0");
    throw error(error_code::invalid_argument, "extents " + shape_string(extents) + " with elements of " +
                                                  std::to_string(element_size) +
                                                  " bytes exceed 2^63 - 1 bytes: use smaller extents");
}

/// Row-major strides in elements: [12, 4, 1] for [2, 3, 4]. Zero extents count as 1, as in PyTorch.
/// The extents must have passed `element_count`.
constexpr extent_list contiguous_strides(const extent_list& extents) {
    extent_list strides = extents;
    std::int64_t stride = 1;
    for (int axis = extents.size() - 1; axis >= 0; --axis) {
        strides[axis] = stride;
        stride *= extents[axis] == 0 ? 1 : extents[axis];
    }
    return strides;
}

/// Offset of an element in elements; a wrong number of indices or an index outside throws
/// `error_code::invalid_argument`.
constexpr std::int64_t checked_offset(const extent_list& indices, const extent_list& extents,
                                      const extent_list& strides) {
    std::int64_t offset = 0;
    bool inside = indices.size() == extents.size();
    for (int axis = 0; inside && axis < extents.size(); ++axis) {
        inside = indices[axis] >= 0 && indices[axis] < extents[axis];
        offset += indices[axis] * (inside ? strides[axis] : 0);
    }
    if (!inside)
        throw error(error_code::invalid_argument,
                    "index " + shape_string(indices) + " is outside an array of extents " + shape_string(extents));
    return offset;
}

} // namespace toroid
