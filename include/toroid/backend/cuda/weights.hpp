#pragma once
// cuda::weights: the parameters of a model in device memory, uploaded once, shared and read-only for executors.

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <toroid/backend/cuda/abi.hpp>
#include <toroid/backend/cuda/array.hpp>
#include <toroid/backend/cuda/check.hpp>
#include <toroid/core/error.hpp>
#include <toroid/storage/weights.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

namespace detail {

/// For a scope, lets this thread allocate, free and wait although a stream of the process captures a graph.
class relaxed_capture {
public:
    relaxed_capture() noexcept { exchange(); }
    relaxed_capture(const relaxed_capture&) = delete;
    relaxed_capture& operator=(const relaxed_capture&) = delete;
    ~relaxed_capture() { exchange(); }

private:
    void exchange() noexcept {
        if (cudaThreadExchangeStreamCaptureMode(&mode_) != cudaSuccess) static_cast<void>(cudaGetLastError());
    }
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Several parameters in one device allocation, each at 256 bytes, and what their upload still needs.
class weights_memory {
public:
    static constexpr std::size_t alignment = 256;

    /// Copies `sources[i]`, or writes zeros where there are no sources.
    weights_memory(std::span<const parameter_info> infos, std::span<const void* const> sources, cudaStream_t stream)
        : weights_memory(infos) {
        if (bytes_ == 0) return;
        device_ = device_of(stream);
        if (is_capturing(stream))
            throw error(error_code::invalid_argument,
                        "cuda::weights: the stream captures a CUDA graph, which an upload cannot be part of: make the "
                        "weights before the capture, or on another stream");
        const device_guard guard(device_);
        const relaxed_capture relaxed;
        const std::string what =
            "allocating " + std::to_string(bytes_) + " bytes of weights on device " + std::to_string(device_);
        check(cudaMalloc(&memory_, bytes_), what.c_str());
        check(cudaEventCreateWithFlags(&uploaded_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        if (sources.empty()) {
            check(cudaMemsetAsync(memory_, 0, bytes_, stream), "clearing weights");
        } else {
            fill_staging(infos, sources);
            check(cudaMemcpyAsync(memory_, staging_, bytes_, cudaMemcpyHostToDevice, stream), "uploading weights");
        }
        check(cudaEventRecord(uploaded_, stream), "cudaEventRecord");
    }
    weights_memory(const weights_memory&) = delete;
    weights_memory& operator=(const weights_memory&) = delete;
    // Failures are ignored: the process may have shut the device down already, which freed everything.
    ~weights_memory() {
        if (memory_ == nullptr) return;
        const relaxed_capture relaxed;
        if (uploaded_ != nullptr) {
            ignore(cudaEventSynchronize(uploaded_));
            ignore(cudaEventDestroy(uploaded_));
        }
        if (staging_ != nullptr) ignore(cudaFreeHost(staging_));
        ignore(cudaFree(memory_));
    }

    [[nodiscard]] void* data(int number) const {
        const std::size_t offset = offsets_.at(static_cast<std::size_t>(number));
        return memory_ == nullptr ? nullptr : static_cast<std::byte*>(memory_) + offset;
    }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_; }
    [[nodiscard]] int device() const noexcept { return device_; }

    void wait(cudaStream_t stream) {
        if (complete_.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(mutex_);
        if (complete_.load(std::memory_order_relaxed)) return;
        const relaxed_capture relaxed;
        const cudaError_t status = cudaEventQuery(uploaded_);
        if (status == cudaErrorNotReady) {
            static_cast<void>(cudaGetLastError());
            if (!is_capturing(stream)) {
                check(cudaStreamWaitEvent(stream, uploaded_, 0), "waiting for the upload of weights");
                return;
            }
            // A capture may not depend on an event from outside it, so the host waits, once.
            check(cudaEventSynchronize(uploaded_), "waiting for the upload of weights");
        } else {
            check(status, "uploading weights");
        }
        if (staging_ != nullptr) check(cudaFreeHost(std::exchange(staging_, nullptr)), "cudaFreeHost");
        complete_.store(true, std::memory_order_release);
    }

private:
    explicit weights_memory(std::span<const parameter_info> infos) {
        offsets_.reserve(infos.size());
        for (const parameter_info& info : infos) {
            offsets_.push_back(bytes_);
            bytes_ += (info.bytes + alignment - 1) / alignment * alignment;
        }
        complete_.store(bytes_ == 0, std::memory_order_relaxed);
    }

    void fill_staging(std::span<const parameter_info> infos, std::span<const void* const> sources) {
        const std::string what = "allocating " + std::to_string(bytes_) + " bytes of pinned memory for weights";
        check(cudaMallocHost(&staging_, bytes_), what.c_str());
        auto* bytes = static_cast<std::byte*>(staging_);
        for (std::size_t i = 0; i < infos.size(); ++i) {
            const std::size_t end = i + 1 < infos.size() ? offsets_[i + 1] : bytes_;
            if (infos[i].bytes != 0) std::memcpy(bytes + offsets_[i], sources[i], infos[i].bytes);
            std::memset(bytes + offsets_[i] + infos[i].bytes, 0, end - offsets_[i] - infos[i].bytes);
        }
    }

    static void ignore(cudaError_t status) noexcept {
        if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
    }

    std::vector<std::size_t> offsets_;
    std::size_t bytes_ = 0;
    int device_ = -1;
    void* memory_ = nullptr;
    void* staging_ = nullptr; // until the upload is known to be complete
    cudaEvent_t uploaded_ = nullptr;
    std::mutex mutex_; // of wait()
    std::atomic<bool> complete_ = false;
};

} // namespace detail

/// The parameters of a model on one device. Copies share the memory, may be used by several threads, and are never
/// written. The upload is asynchronous, so whoever reads calls `wait` first; the memory goes with the last copy, when
/// nothing reads it any more. Throws toroid::error: `invalid_argument` while the stream captures a graph,
/// `out_of_memory`.
template <class Model> class weights {
public:
    /// Zeros. Without parameters, no device is needed.
    weights() : weights(static_cast<cudaStream_t>(nullptr)) {}
    /// Zeros, written in the order of a stream.
    explicit weights(cudaStream_t stream)
        : state_(std::make_shared<state>(parameters_of<Model>(), std::span<const void* const>(), stream)) {}
    /// Copies `host` to pinned memory, thus `host` may change afterwards, and uploads it in the order of a stream, to
    /// its device.
    explicit weights(const toroid::weights<Model>& host, cudaStream_t stream = nullptr) {
        std::vector<const void*> sources;
        sources.reserve(host.parameters().size());
        for (std::size_t i = 0; i < host.parameters().size(); ++i) sources.push_back(host.data(static_cast<int>(i)));
        state_ = std::make_shared<state>(
            std::vector<parameter_info>(host.parameters().begin(), host.parameters().end()), sources, stream);
    }

    [[nodiscard]] std::span<const parameter_info> parameters() const noexcept { return state_->infos; }
    /// Device address of parameter `number`, 256-byte aligned; null where the model's parameters have no elements.
    [[nodiscard]] void* data(int number) const { return state_->memory.data(number); }
    /// Bytes on the device.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return state_->memory.size_bytes(); }
    /// Number of the device; -1 where there is nothing to store, which fits each.
    [[nodiscard]] int device() const noexcept { return state_->memory.device(); }

    /// Work given to the stream from now on sees the parameters. If the stream captures a graph, the host waits for the
    /// upload, and the graph does not. Costs nothing once the upload is known to be complete.
    void wait(cudaStream_t stream) const { state_->memory.wait(stream); }

private:
    struct state {
        state(std::vector<parameter_info> parameters, std::span<const void* const> sources, cudaStream_t stream)
            : infos(std::move(parameters)), memory(infos, sources, stream) {}

        std::vector<parameter_info> infos;
        detail::weights_memory memory;
    };
    std::shared_ptr<state> state_;
};

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
