#pragma once
// device: streams, graphs timed by events, and arrays filled with random values.

#include <cstdint>
#include <vector>

#include <toroid/backend/cuda/array.hpp>

namespace benchmark {

using toroid::dtype;
using toroid::cuda::check;

/// A stream that other streams do not wait for.
class stream {
public:
    stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    ~stream() {
        cudaStreamSynchronize(handle_);
        cudaStreamDestroy(handle_);
    }

    operator cudaStream_t() const { return handle_; }
    void synchronize() const { check(cudaStreamSynchronize(handle_), "cudaStreamSynchronize"); }

private:
    cudaStream_t handle_ = nullptr;
};

/// What a capturing stream records, as a graph that can be timed.
class replay {
public:
    template <class Calls> replay(cudaStream_t stream, Calls&& calls) : stream_(stream) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        calls();
        check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
        const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        check(status, "cudaGraphInstantiate");
        check(cudaEventCreate(&begin_), "cudaEventCreate");
        check(cudaEventCreate(&end_), "cudaEventCreate");
    }
    replay(const replay&) = delete;
    replay& operator=(const replay&) = delete;
    ~replay() {
        cudaStreamSynchronize(stream_);
        cudaGraphExecDestroy(graph_);
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }

    void launch() const { check(cudaGraphLaunch(graph_, stream_), "cudaGraphLaunch"); }
    /// Seconds on the GPU: the median of three replays, after one that brings the GPU back from another process.
    [[nodiscard]] double seconds() const;

private:
    cudaStream_t stream_;
    cudaGraphExec_t graph_ = nullptr;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

//=== values ===//

/// Standard normal values, or, for integers, values in [0, below).
void fill(toroid::cuda::array<dtype::f32>& x, std::uint64_t seed, std::int64_t below, cudaStream_t stream);
void fill(toroid::cuda::array<dtype::bf16>& x, std::uint64_t seed, std::int64_t below, cudaStream_t stream);
void fill(toroid::cuda::array<dtype::i64>& x, std::uint64_t seed, std::int64_t below, cudaStream_t stream);

/// Bytes that are NaN in every floating dtype, so that an element nobody writes shows.
template <dtype T> void poison(toroid::cuda::array<T>& x, cudaStream_t stream) {
    check(cudaMemsetAsync(x.data(), 0xff, x.size_bytes(), stream), "cudaMemsetAsync");
}

/// `count` elements of an array from `first` on, `stride` apart, on the host.
template <dtype T>
std::vector<double> read(const toroid::cuda::array<T>& x, std::int64_t first, std::int64_t count,
                         std::int64_t stride = 1) {
    using element = toroid::storage_t<T>;
    std::vector<element> stored(static_cast<std::size_t>(count));
    if (stride == 1)
        check(cudaMemcpy(stored.data(), x.data() + first, stored.size() * sizeof(element), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    else
        check(cudaMemcpy2D(stored.data(), sizeof(element), x.data() + first,
                           static_cast<std::size_t>(stride) * sizeof(element), sizeof(element), stored.size(),
                           cudaMemcpyDeviceToHost),
              "cudaMemcpy2D");
    std::vector<double> values;
    values.reserve(stored.size());
    for (const element& value : stored) values.push_back(static_cast<double>(static_cast<toroid::compute_t<T>>(value)));
    return values;
}

} // namespace benchmark
