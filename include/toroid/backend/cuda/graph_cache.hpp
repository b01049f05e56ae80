#pragma once
// graph_cache: CUDA graphs of one program, by symbol values and addresses. Bounded: the one that was not used for longest is
// updated in place, or instantiated anew.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <toroid/backend/cuda/array.hpp>
#include <toroid/backend/cuda/check.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// How often a cache did what, for tests and tuning.
struct graph_cache_statistics {
    int hits = 0; ///< launched as it was
    int updates = 0; ///< captured again, parameters of an instantiated graph changed
    int instantiations = 0; ///< captured and instantiated
};

/// Instantiated graphs by key: a list of numbers (symbol values, then addresses).
class graph_cache {
public:
    using key = std::vector<std::int64_t>;

    explicit graph_cache(std::size_t capacity) : capacity_(capacity) {}

    /// Launches the graph of a key on `stream`. Where there is none, `record(stream)` is captured first.
    template <class Record> void launch(const key& wanted, cudaStream_t stream, const Record& record) {
        ++time_;
        const auto found =
            std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return e.name == wanted; });
        entry* chosen = nullptr;
        if (found != entries_.end()) {
            ++statistics_.hits;
            chosen = &*found;
        } else {
            chosen = &prepare(wanted, record);
        }
        chosen->last_used = time_;
        check(cudaGraphLaunch(chosen->graph.get(), stream), "cudaGraphLaunch");
    }
    /// Forgets all graphs: their memory has moved.
    void clear() { entries_.clear(); }
    [[nodiscard]] const graph_cache_statistics& statistics() const { return statistics_; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    template <class T, cudaError_t (*Destroy)(T*)> struct destroyer {
        // The process may have shut the device down already, which freed everything.
        void operator()(T* object) const noexcept { static_cast<void>(Destroy(object)); }
    };
    using stream_handle = std::unique_ptr<CUstream_st, destroyer<CUstream_st, cudaStreamDestroy>>;
    using graph_handle = std::unique_ptr<CUgraph_st, destroyer<CUgraph_st, cudaGraphDestroy>>;
    using executable_handle = std::unique_ptr<CUgraphExec_st, destroyer<CUgraphExec_st, cudaGraphExecDestroy>>;

    struct entry {
        key name;
        executable_handle graph;
        std::uint64_t last_used = 0;
    };

    template <class Record> entry& prepare(const key& wanted, const Record& record) {
        const graph_handle graph = capture(record);
        if (entries_.size() >= capacity_) {
            entry& oldest = *std::min_element(entries_.begin(), entries_.end(),
                                              [](const entry& a, const entry& b) { return a.last_used < b.last_used; });
            oldest.name.clear(); // of no use if what follows fails
            cudaGraphExecUpdateResultInfo info{};
            if (cudaGraphExecUpdate(oldest.graph.get(), graph.get(), &info) == cudaSuccess) {
                ++statistics_.updates;
            } else {
                static_cast<void>(cudaGetLastError());
                oldest.graph = instantiate(graph);
            }
            oldest.name = wanted;
            return oldest;
        }
        entries_.push_back({wanted, instantiate(graph), 0});
        return entries_.back();
    }
    executable_handle instantiate(const graph_handle& graph) {
        cudaGraphExec_t executable = nullptr;
        check(cudaGraphInstantiate(&executable, graph.get(), 0), "cudaGraphInstantiate");
        ++statistics_.instantiations;
        return executable_handle(executable);
    }
    /// Captures on a stream of its own: a legacy default stream cannot be captured.
    template <class Record> graph_handle capture(const Record& record) {
        if (stream_ == nullptr) {
            cudaStream_t stream = nullptr;
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
            stream_.reset(stream);
        }
        // Relaxed: libraries load their kernels at first use, which other modes forbid.
        check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
        cudaGraph_t graph = nullptr;
        try {
            record(stream_.get());
        } catch (...) {
            static_cast<void>(cudaStreamEndCapture(stream_.get(), &graph));
            static_cast<void>(cudaGetLastError());
            const graph_handle unfinished(graph);
            throw;
        }
        check(cudaStreamEndCapture(stream_.get(), &graph), "cudaStreamEndCapture");
        return graph_handle(graph);
    }

    std::size_t capacity_;
    std::uint64_t time_ = 0;
    stream_handle stream_;
    std::vector<entry> entries_;
    graph_cache_statistics statistics_;
};

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
