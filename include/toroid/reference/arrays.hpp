#pragma once
// Between run-time arrays and the values of the interpreter. Host only.

#include <cstdint>
#include <span>
#include <string>

#include <toroid/reference/tensor.hpp>
#include <toroid/storage/array.hpp>

namespace toroid {

/// The values of an array of any strides.
template <dtype T, bool Mutable> reference_tensor make_reference(const basic_array_view<T, Mutable>& x) {
    growable<std::int64_t> extents;
    for (const std::int64_t extent : x.extents()) extents.push(extent);
    reference_tensor result = zero_reference(T, extents);
    std::int64_t index[max_rank] = {};
    for (int i = 0; i < result.size(); ++i) {
        std::int64_t offset = 0;
        for (int a = 0; a < x.rank(); ++a) offset += index[a] * x.stride(a);
        const auto value = static_cast<compute_t<T>>(x.data()[offset]);
        if constexpr (is_floating(T)) result.real[i] = static_cast<double>(value);
        else result.integer[i] = static_cast<std::int64_t>(value);
        for (int a = x.rank() - 1; a >= 0 && ++index[a] == x.extent(a); --a) index[a] = 0;
    }
    return result;
}
template <dtype T> reference_tensor make_reference(const array<T>& x) { return make_reference(x.view()); }

/// A new array with the values of `x`, rounded to `T`; `error_code::invalid_argument` where `x` has another dtype.
template <dtype T> array<T> to_array(const reference_tensor& x) {
    if (x.type != T)
        throw error(error_code::invalid_argument, "to_array: the tensor has dtype " + std::string(name_of(x.type)) +
                                                      ", not " + std::string(name_of(T)));
    const std::span<const std::int64_t> extents(x.extents.data(), static_cast<std::size_t>(x.rank()));
    auto result = array<T>::uninitialized(extent_list(extents));
    for (int i = 0; i < x.size(); ++i) {
        if constexpr (is_floating(T))
            result.data()[i] = static_cast<storage_t<T>>(static_cast<compute_t<T>>(x.real[i]));
        else result.data()[i] = static_cast<storage_t<T>>(x.integer[i]);
    }
    return result;
}

} // namespace toroid
