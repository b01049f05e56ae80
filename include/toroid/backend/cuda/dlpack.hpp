#pragma once
// Tensors of other libraries as views, and views as theirs, through the struct DLTensor of DLPack. Nothing is copied.
// The struct is the caller's: any type with the fields of DLPack 1.x does.

#include <cuda_runtime_api.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/backend/cuda/array.hpp>
#include <toroid/backend/cuda/check.hpp>
#include <toroid/core/config.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/extent_list.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// A struct with the fields of DLTensor. Source: dmlc/dlpack, include/dlpack/dlpack.h, version 1.
template <class Tensor>
concept dlpack_tensor = requires(Tensor& tensor, std::int64_t* values) {
    { tensor.data } -> std::convertible_to<void*>;
    static_cast<int>(tensor.device.device_type);
    static_cast<int>(tensor.device.device_id);
    static_cast<int>(tensor.ndim);
    static_cast<int>(tensor.dtype.code);
    static_cast<int>(tensor.dtype.bits);
    static_cast<int>(tensor.dtype.lanes);
    { tensor.shape } -> std::convertible_to<const std::int64_t*>;
    { tensor.strides } -> std::convertible_to<const std::int64_t*>;
    tensor.shape = values;
    tensor.strides = values;
    static_cast<std::uint64_t>(tensor.byte_offset);
};

namespace detail {

inline constexpr int dlpack_cuda = 2; // kDLCUDA
inline constexpr int dlpack_cuda_managed = 13; // kDLCUDAManaged

struct dlpack_type {
    int code = 0; // DLDataTypeCode
    int bits = 0;
    int lanes = 1;

    friend constexpr bool operator==(const dlpack_type&, const dlpack_type&) = default;
};

constexpr dlpack_type dlpack_type_of(dtype type) {
    const int bits = size_of(type) * 8;
    if (is_boolean(type)) return {6, bits};
    if (type == dtype::bf16) return {4, bits};
    if (is_floating(type)) return {2, bits};
    return {type == dtype::u8 ? 1 : 0, bits};
}

/// "float32", "float32 x 4 lanes", "type 9 of 8 bits".
inline std::string dlpack_text(const dlpack_type& type) {
    constexpr const char* names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
    const std::string bits = std::to_string(type.bits);
    std::string text = type.code >= 0 && type.code < 7 ? names[type.code] + bits
                                                       : "type " + std::to_string(type.code) + " of " + bits + " bits";
    if (type.lanes != 1) text += " x " + std::to_string(type.lanes) + " lanes";
    return text;
}

template <dtype T, bool Mutable, class Tensor> basic_array_view<T, Mutable> view_of(const Tensor& tensor, int device) {
    const auto fail = [](const std::string& message) {
        throw error(error_code::invalid_argument, "DLPack: " + message);
    };

    const int place = static_cast<int>(tensor.device.device_type);
    const int number = static_cast<int>(tensor.device.device_id);
    if (place != dlpack_cuda && place != dlpack_cuda_managed)
        fail("the tensor is on a device of type " + std::to_string(place) +
             ", a cuda view needs type 2 (CUDA) or 13 (CUDA managed): move the tensor to the GPU");
    if (device >= 0 && place == dlpack_cuda && number != device)
        fail("the tensor is on device " + std::to_string(number) + ", device " + std::to_string(device) +
             " was asked for: move the tensor");

    constexpr dlpack_type wanted = dlpack_type_of(T);
    const dlpack_type given{static_cast<int>(tensor.dtype.code), static_cast<int>(tensor.dtype.bits),
                            static_cast<int>(tensor.dtype.lanes)};
    if (given != wanted)
        fail("the tensor has elements " + dlpack_text(given) + ", " + std::string(name_of(T)) + " needs " +
             dlpack_text(wanted) + ": convert the tensor");

    const int rank = static_cast<int>(tensor.ndim);
    if (rank < 0 || rank > max_rank)
        fail("the tensor has rank " + std::to_string(rank) + ", a view from 0 to " + std::to_string(max_rank));
    if (rank > 0 && tensor.shape == nullptr)
        fail("the tensor has rank " + std::to_string(rank) + " but no shape: the producer must set it");
    const auto axes = static_cast<std::size_t>(rank);
    const extent_list extents =
        rank == 0 ? extent_list() : extent_list(std::span<const std::int64_t>(tensor.shape, axes));
    // Checks the extents before their product is used. Older versions of DLPack have null for row-major strides.
    const std::int64_t size = element_count(extents, size_of(T));
    const extent_list strides = rank == 0 || tensor.strides == nullptr
                                    ? contiguous_strides(extents)
                                    : extent_list(std::span<const std::int64_t>(tensor.strides, axes));

    using element = basic_array_view<T, Mutable>::element;
    void* const base = tensor.data;
    if (base == nullptr || size == 0) return {static_cast<element*>(base), extents, strides};
    const std::uintptr_t address =
        reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(tensor.byte_offset);
    if (address % alignof(element) != 0)
        fail("the first element is " + std::to_string(address % alignof(element)) + " bytes past a multiple of " +
             std::to_string(alignof(element)) + ", the alignment of " + std::string(name_of(T)) + ": copy the tensor");
    return {reinterpret_cast<element*>(address), extents, strides};
}

} // namespace detail

/// Read-only view of a tensor's device memory; strides are kept. The tensor stays with its producer, who keeps the
/// memory alive and has finished writing. `device` is the number of the wanted device, -1 for any. Throws
/// `error_code::invalid_argument` for memory elsewhere, another dtype, lanes, bad extents, or a misaligned address.
template <dtype T, dlpack_tensor Tensor>
[[nodiscard]] array_view<T> from_dlpack(const Tensor& tensor, int device = -1) {
    return detail::view_of<T, false>(tensor, device);
}
/// As from_dlpack, for writing. DLTensor does not say whether that is allowed; a flag of DLManagedTensorVersioned does.
template <dtype T, dlpack_tensor Tensor>
[[nodiscard]] mutable_array_view<T> mutable_from_dlpack(const Tensor& tensor, int device = -1) {
    return detail::view_of<T, true>(tensor, device);
}

/// Extents and strides that a tensor of `to_dlpack` points to.
struct dlpack_shape {
    std::int64_t extents[max_rank] = {};
    std::int64_t strides[max_rank] = {};
};

/// A DLTensor of a view's memory: `to_dlpack<DLTensor>(y.view(), shape)`. It points into `shape`, which must live as
/// long. DLTensor has no const: of a read-only view nothing may be written. Throws `error_code::invalid_argument` where
/// the address is neither device nor managed memory.
template <dlpack_tensor Tensor, dtype T, bool Mutable>
[[nodiscard]] Tensor to_dlpack(const basic_array_view<T, Mutable>& view, dlpack_shape& shape) {
    int place = detail::dlpack_cuda;
    int number = 0;
    if (view.data() == nullptr) {
        check(cudaGetDevice(&number), "cudaGetDevice");
    } else {
        cudaPointerAttributes attributes{};
        check(cudaPointerGetAttributes(&attributes, view.data()), "cudaPointerGetAttributes");
        if (attributes.type == cudaMemoryTypeManaged) place = detail::dlpack_cuda_managed; // its number is 0
        else if (attributes.type == cudaMemoryTypeDevice) number = attributes.device;
        else
            throw error(error_code::invalid_argument,
                        "DLPack: the view's address is memory of cudaMemoryType " + std::to_string(attributes.type) +
                            ", DLPack needs type 2 (device) or 3 (managed): copy_to_device makes such memory");
    }
    for (int axis = 0; axis < view.rank(); ++axis) {
        shape.extents[axis] = view.extent(axis);
        shape.strides[axis] = view.stride(axis);
    }
    constexpr detail::dlpack_type type = detail::dlpack_type_of(T);
    Tensor tensor{};
    tensor.data = const_cast<storage_t<T>*>(view.data());
    tensor.device.device_type = static_cast<decltype(tensor.device.device_type)>(place);
    tensor.device.device_id = number;
    tensor.ndim = view.rank();
    tensor.dtype.code = static_cast<decltype(tensor.dtype.code)>(type.code);
    tensor.dtype.bits = static_cast<decltype(tensor.dtype.bits)>(type.bits);
    tensor.dtype.lanes = static_cast<decltype(tensor.dtype.lanes)>(type.lanes);
    tensor.shape = shape.extents;
    tensor.strides = shape.strides;
    tensor.byte_offset = 0;
    return tensor;
}
/// Of an array: `to_dlpack<DLTensor>(y, shape)`.
template <dlpack_tensor Tensor, dtype T> [[nodiscard]] Tensor to_dlpack(array<T>& values, dlpack_shape& shape) {
    return to_dlpack<Tensor>(values.mutable_view(), shape);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
