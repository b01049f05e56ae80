#pragma once
// Arrays in device memory: an owning one, views of somebody else's memory, and copies between host and device.

#include <cuda_runtime_api.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/backend/cuda/check.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/array.hpp>
#include <toroid/storage/array_view.hpp>
#include <toroid/storage/extent_list.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

//=== streams and devices ===//

namespace detail {

/// Makes a device current for a scope. The legacy default stream means the one of the current device.
class device_guard {
public:
    explicit device_guard(int device) noexcept {
        if (cudaGetDevice(&previous_) != cudaSuccess || previous_ == device || cudaSetDevice(device) != cudaSuccess)
            previous_ = -1;
    }
    device_guard(const device_guard&) = delete;
    device_guard& operator=(const device_guard&) = delete;
    ~device_guard() {
        if (previous_ >= 0) static_cast<void>(cudaSetDevice(previous_));
    }

private:
    int previous_ = -1;
};

/// Whether work for a stream would go into a CUDA graph, or be refused because another stream captures one.
inline cudaError_t capture_status(cudaStream_t stream, bool& capturing) noexcept {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t result = cudaStreamIsCapturing(stream, &status);
    if (result == cudaErrorStreamCaptureImplicit) {
        // The legacy default stream cannot be used while a blocking stream of its device captures.
        static_cast<void>(cudaGetLastError());
        capturing = true;
        return cudaSuccess;
    }
    capturing = status != cudaStreamCaptureStatusNone;
    return result;
}
inline bool is_capturing(cudaStream_t stream) {
    bool capturing = false;
    check(capture_status(stream, capturing), "cudaStreamIsCapturing");
    return capturing;
}

/// The device of a stream; of a default stream, or of one that captures and cannot be asked, the current device.
inline int device_of(cudaStream_t stream) {
    int device = 0;
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || is_capturing(stream))
        check(cudaGetDevice(&device), "cudaGetDevice");
    else check(cudaStreamGetDevice(stream, &device), "cudaStreamGetDevice");
    return device;
}

} // namespace detail

//=== views ===//

/// View of device memory that somebody else owns; as toroid::basic_array_view, without access to elements. Strides are
/// in elements and may be zero or negative. Throws `error_code::invalid_argument` for bad extents, a stride for other
/// than each axis, or a null pointer to elements.
template <dtype T, bool Mutable> class basic_array_view {
public:
    static constexpr dtype type = T;
    using element = std::conditional_t<Mutable, storage_t<T>, const storage_t<T>>;

    /// C-contiguous elements.
    basic_array_view(element* data, const extent_list& extents) : layout_(data, extents) {}
    basic_array_view(element* data, const extent_list& extents, const extent_list& strides)
        : layout_(data, extents, strides) {}
    /// A mutable view is also a read-only one. A template, lest it be the copy constructor of mutable views.
    template <bool Other>
        requires(Other && !Mutable)
    basic_array_view(const basic_array_view<T, Other>& other)
        : basic_array_view(other.data(), other.extents(), other.strides()) {}

    /// Device address of the first element.
    [[nodiscard]] element* data() const noexcept { return layout_.data(); }
    /// Number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return layout_.size(); }
    [[nodiscard]] int rank() const noexcept { return layout_.rank(); }
    [[nodiscard]] const extent_list& extents() const noexcept { return layout_.extents(); }
    [[nodiscard]] const extent_list& strides() const noexcept { return layout_.strides(); }
    [[nodiscard]] std::int64_t extent(int axis) const { return layout_.extent(axis); }
    [[nodiscard]] std::int64_t stride(int axis) const { return layout_.stride(axis); }

    /// True when the elements are in row-major order without gaps; strides of axes of extent 1 do not matter.
    [[nodiscard]] bool is_contiguous() const noexcept { return layout_.is_contiguous(); }
    /// True when the first element's address is a multiple of `bytes`.
    [[nodiscard]] bool is_aligned(std::size_t bytes) const noexcept { return layout_.is_aligned(bytes); }

private:
    toroid::basic_array_view<T, Mutable> layout_; // its checks hold for any address; it is never read through
};

/// Read-only view of device memory.
template <dtype T> using array_view = basic_array_view<T, false>;
/// View of device memory whose elements can be written.
template <dtype T> using mutable_array_view = basic_array_view<T, true>;

//=== array ===//

/// Owning array of dtype `T` in device memory, row-major, at 256 bytes, move-only. It is allocated, cleared and freed
/// in the order of one stream, on that stream's device: another stream may use it once that stream has got there, and
/// must be done, or waited for, before it is freed. The stream outlives the array. No elements: no memory, `data()` is
/// null. Bad extents and a stream that captures a graph throw `error_code::invalid_argument`, lack of memory
/// `out_of_memory`. Memory of an array that is destroyed while its stream captures is never freed: nothing can be freed
/// then.
template <dtype T> class array {
public:
    static constexpr dtype type = T;
    using element = storage_t<T>;

    explicit array() noexcept {}
    /// Zeros: `cuda::array<f32>({2, 3}, stream)`.
    explicit array(const extent_list& extents, cudaStream_t stream = nullptr) : array(extents, stream, no_values{}) {
        if (size_ == 0) return;
        const detail::device_guard guard(device_);
        check(cudaMemsetAsync(data_, 0, size_bytes(), stream_), "clearing a device array");
    }
    /// Elements with indeterminate values, for a caller that writes all of them.
    [[nodiscard]] static array uninitialized(const extent_list& extents, cudaStream_t stream = nullptr) {
        return array(extents, stream, no_values{});
    }

    array(const array&) = delete;
    array(array&& other) noexcept { swap(other); }
    array& operator=(const array&) = delete;
    array& operator=(array&& other) noexcept {
        array taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~array() { release(); }

    /// Device address of the first element.
    [[nodiscard]] element* data() noexcept { return data_; }
    [[nodiscard]] const element* data() const noexcept { return data_; }
    /// Number of elements.
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept {
        return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_of(T));
    }
    [[nodiscard]] int rank() const noexcept { return extents_.size(); }
    [[nodiscard]] const extent_list& extents() const noexcept { return extents_; }
    [[nodiscard]] std::int64_t extent(int axis) const { return extents_[axis]; }
    /// Number of the device that holds the elements; -1 without arguments and after a move.
    [[nodiscard]] int device() const noexcept { return device_; }
    /// The stream in whose order the memory is freed.
    [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }

    [[nodiscard]] array_view<T> view() const { return {data_, extents_}; }
    [[nodiscard]] mutable_array_view<T> mutable_view() { return {data_, extents_}; }
    operator array_view<T>() const { return view(); }
    operator mutable_array_view<T>() { return mutable_view(); }

    void swap(array& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(extents_, other.extents_);
        std::swap(stream_, other.stream_);
        std::swap(device_, other.device_);
    }

private:
    struct no_values {};

    array(const extent_list& extents, cudaStream_t stream, no_values)
        : size_(element_count(extents, size_of(T))), extents_(extents), stream_(stream),
          device_(detail::device_of(stream)) {
        if (size_ == 0) return;
        if (detail::is_capturing(stream))
            throw error(
                error_code::invalid_argument,
                "cuda::array: the stream captures a CUDA graph, so extents " + shape_string(extents) +
                    " cannot be allocated on it now: allocate before the capture; with an executor, use into()");
        const detail::device_guard guard(device_);
        const std::string what =
            "allocating " + std::to_string(size_bytes()) + " bytes on device " + std::to_string(device_);
        void* memory = nullptr;
        check(cudaMallocAsync(&memory, size_bytes(), stream), what.c_str());
        data_ = static_cast<element*>(memory);
    }

    // Failures are ignored: the process may have shut the device down already, which freed everything.
    void release() noexcept {
        if (data_ == nullptr) return;
        bool capturing = false;
        const detail::device_guard guard(device_);
        if (detail::capture_status(stream_, capturing) != cudaSuccess || capturing ||
            cudaFreeAsync(data_, stream_) != cudaSuccess)
            static_cast<void>(cudaGetLastError());
    }

    element* data_ = nullptr;
    std::int64_t size_ = 0;
    extent_list extents_ = {0};
    cudaStream_t stream_ = nullptr;
    int device_ = -1;
};

//=== copies ===//

namespace detail {

template <dtype T, bool Mutable> toroid::array_view<T> readable(const toroid::basic_array_view<T, Mutable>& view) {
    return view;
}
template <dtype T> toroid::array_view<T> readable(const toroid::array<T>& array) { return array.view(); }
template <dtype T, bool Mutable> array_view<T> readable(const basic_array_view<T, Mutable>& view) { return view; }
template <dtype T> array_view<T> readable(const array<T>& array) { return array.view(); }

template <dtype T> toroid::mutable_array_view<T> writable(const toroid::mutable_array_view<T>& view) { return view; }
template <dtype T> toroid::mutable_array_view<T> writable(toroid::array<T>& array) { return array.mutable_view(); }
template <dtype T> mutable_array_view<T> writable(const mutable_array_view<T>& view) { return view; }
template <dtype T> mutable_array_view<T> writable(array<T>& array) { return array.mutable_view(); }

template <class View> inline constexpr bool on_device = false;
template <dtype T, bool Mutable> inline constexpr bool on_device<basic_array_view<T, Mutable>> = true;

template <class From, class To>
concept copyable = requires(const From& from, To&& to) {
    readable(from);
    writable(std::forward<To>(to));
    requires decltype(readable(from))::type == decltype(writable(std::forward<To>(to)))::type;
    requires on_device<decltype(readable(from))> || on_device<decltype(writable(std::forward<To>(to)))>;
};

template <class View> void require_contiguous_copy(const char* which, const View& view) {
    if (view.is_contiguous()) return;
    throw error(error_code::invalid_argument,
                std::string("cuda: the array to copy ") + which + " has extents " + shape_string(view.extents()) +
                    " and strides " + shape_string(view.strides()) + ", not the contiguous " +
                    shape_string(contiguous_strides(view.extents())) +
                    ": copy contiguous memory; toroid::contiguous(view) makes some on the host");
}

// Pageable memory needs no care of the caller's: the driver may read or write it after cudaMemcpyAsync has returned, so
// the stream is waited for. `host` is null for a copy on the device.
inline void transfer(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const void* host,
                     cudaStream_t stream) {
    bool pageable = false;
    if (host != nullptr) {
        cudaPointerAttributes attributes{};
        check(cudaPointerGetAttributes(&attributes, host), "cudaPointerGetAttributes");
        pageable = attributes.type == cudaMemoryTypeUnregistered;
    }
    if (pageable && is_capturing(stream))
        throw error(error_code::invalid_argument,
                    "cuda: the stream captures a CUDA graph, which cannot copy pageable host memory: use memory of "
                    "cudaMallocHost, or copy outside the capture");
    const std::string what = "copying " + std::to_string(bytes) + " bytes";
    check(cudaMemcpyAsync(to, from, bytes, kind, stream), what.c_str());
    if (pageable) check(cudaStreamSynchronize(stream), what.c_str());
}

} // namespace detail

/// Copies all elements between two arrays or views of one dtype and equal extents, both contiguous and at least one on
/// the device. Asynchronous on the device and with pinned host memory, which then must stay until the stream has got
/// there; waits for the stream with pageable host memory. Throws `error_code::invalid_argument` for other extents,
/// strides, or pageable memory while the stream captures.
template <class From, class To>
    requires detail::copyable<From, To>
void copy(const From& from, To&& to, cudaStream_t stream = nullptr) {
    const auto source = detail::readable(from);
    const auto target = detail::writable(std::forward<To>(to));
    constexpr bool from_device = detail::on_device<std::remove_const_t<decltype(source)>>;
    constexpr bool to_device = detail::on_device<std::remove_const_t<decltype(target)>>;
    if (source.extents() != target.extents())
        throw error(error_code::invalid_argument, "cuda: an array of extents " + shape_string(source.extents()) +
                                                      " cannot be copied to one of extents " +
                                                      shape_string(target.extents()));
    detail::require_contiguous_copy("from", source);
    detail::require_contiguous_copy("to", target);
    if (source.size() == 0) return;
    const auto bytes = static_cast<std::size_t>(source.size()) * sizeof(*source.data());
    if constexpr (from_device && to_device)
        detail::transfer(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice, nullptr, stream);
    else if constexpr (to_device)
        detail::transfer(target.data(), source.data(), bytes, cudaMemcpyHostToDevice, source.data(), stream);
    else detail::transfer(target.data(), source.data(), bytes, cudaMemcpyDeviceToHost, target.data(), stream);
}

/// A copy on the device of contiguous host elements, allocated on the stream. When it returns, pageable host memory may
/// change; pinned memory must stay until the stream has got there. Errors as `copy` and `cuda::array`.
template <dtype T, bool Mutable>
[[nodiscard]] array<T> copy_to_device(const toroid::basic_array_view<T, Mutable>& host, cudaStream_t stream = nullptr) {
    detail::require_contiguous_copy("from", host);
    array<T> result = array<T>::uninitialized(host.extents(), stream);
    copy(host, result, stream);
    return result;
}
template <dtype T> [[nodiscard]] array<T> copy_to_device(const toroid::array<T>& host, cudaStream_t stream = nullptr) {
    return copy_to_device(host.view(), stream);
}

/// A copy on the host of contiguous device elements, complete: the stream is synchronised. Errors as `copy`.
template <dtype T, bool Mutable>
[[nodiscard]] toroid::array<T> copy_to_host(const basic_array_view<T, Mutable>& from, cudaStream_t stream = nullptr) {
    toroid::array<T> result = toroid::array<T>::uninitialized(from.extents());
    copy(from, result, stream); // the result is pageable, hence waits
    return result;
}
template <dtype T> [[nodiscard]] toroid::array<T> copy_to_host(const array<T>& from, cudaStream_t stream = nullptr) {
    return copy_to_host(from.view(), stream);
}

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
