#pragma once
// A small persistent thread pool with static chunk assignment: what CPU kernels and matmuls share.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>

#include <toroid/core/config.hpp>
#include <toroid/core/error.hpp>

namespace toroid {

/// Largest number of threads of a pool.
inline constexpr int max_threads = 1024;

/// Thread count written in `text` ("1" to "1024"). Throws `invalid_argument` for anything else.
inline int thread_count_from_text(const char* text) {
    char* end = nullptr;
    const long count = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || count < 1 || count > max_threads)
        throw error(error_code::invalid_argument,
                    "TOROID_THREADS is '" + std::string(text) + "': use a number from 1 to 1024, or leave it unset");
    return static_cast<int>(count);
}

/// Threads of the default pool: environment variable `TOROID_THREADS`, else the hardware's.
inline int default_thread_count() {
    if (const char* const text = std::getenv("TOROID_THREADS")) return thread_count_from_text(text);
    const unsigned count = std::thread::hardware_concurrency();
    return count == 0 ? 1 : count > max_threads ? max_threads : static_cast<int>(count);
}

/// Persistent threads that run numbered chunks. Chunks are assigned statically, contiguous ranges in thread order, so
/// which thread runs a chunk depends only on the counts. Idle threads spin for some ten microseconds, then sleep.
/// A process that forks must not use the pool in the child.
class thread_pool {
public:
    /// Makes `threads - 1` threads; the caller of `parallel_for` is the remaining one. If the system refuses a thread,
    /// the pool is smaller.
    explicit thread_pool(int threads = default_thread_count())
        : workers_(std::make_unique<worker[]>(static_cast<std::size_t>(threads > 1 ? threads : 1))) {
        try {
            for (; size_ < threads; ++size_) workers_[size_].thread = std::thread([this, i = size_] { work(i); });
        } catch (const std::system_error&) {
            // Fewer threads give the same results.
        }
    }

    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    ~thread_pool() {
        stop_ = true;
        for (int i = 1; i < size_; ++i) {
            wake(i);
            workers_[i].thread.join();
        }
    }

    /// Number of threads, the caller included.
    [[nodiscard]] int size() const noexcept { return size_; }

    /// Calls `body(chunk)` once for every chunk in [0, chunks) and returns when all are done. Allocates nothing.
    /// Runs all chunks on the calling thread if the pool is busy: with another caller, or because the call is nested.
    /// If bodies throw, each thread abandons the rest of its own range and the exception of the lowest one is rethrown.
    template <class Body> void parallel_for(std::int64_t chunks, Body&& body) {
        if (chunks <= 0) return;
        if (size_ == 1 || chunks == 1 || busy_.exchange(true, std::memory_order_acquire)) {
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
            return;
        }
        using body_type = std::remove_reference_t<Body>;
        context_ = const_cast<void*>(static_cast<const void*>(std::addressof(body)));
        run_range_ = [](void* context, std::int64_t first, std::int64_t last) {
            body_type& run = *static_cast<body_type*>(context);
            for (std::int64_t chunk = first; chunk < last; ++chunk) run(chunk);
        };
        chunks_ = chunks;
        participants_ = chunks < size_ ? static_cast<int>(chunks) : size_;
        remaining_.store(participants_ - 1, std::memory_order_relaxed);
        take_part(0);
        wait_for_workers();
        const std::exception_ptr failure = failed_.load(std::memory_order_relaxed) ? take_failure() : nullptr;
        busy_.store(false, std::memory_order_release);
        if (failure) std::rethrow_exception(failure);
    }

private:
    // 32 bits: the size that the kernel can wait on.
    struct alignas(64) worker {
        std::atomic<std::uint32_t> ticket{0}; // number of jobs handed to this thread
        std::exception_ptr failure;
        std::thread thread;
    };

    static constexpr int spins = 1000;

    static void pause() noexcept {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        std::this_thread::yield();
#endif
    }

    void wake(int index) {
        workers_[index].ticket.fetch_add(1, std::memory_order_release);
        workers_[index].ticket.notify_one();
    }

    // Threads wake each other as a binary tree, so that a large pool starts in logarithmic time. A thread reads the job
    // only between its ticket and its decrement of `remaining_`, when the caller does not write it.
    void take_part(int index) noexcept {
        const int participants = participants_;
        for (int child = 2 * index + 1; child <= 2 * index + 2; ++child)
            if (child < participants) wake(child);
        try {
            run_range_(context_, chunks_ / participants * index + offset(index),
                       chunks_ / participants * (index + 1) + offset(index + 1));
        } catch (...) {
            workers_[index].failure = std::current_exception();
            failed_.store(true, std::memory_order_relaxed);
        }
    }

    // The first chunks % participants ranges are one longer.
    [[nodiscard]] std::int64_t offset(int index) const {
        const std::int64_t longer = chunks_ % participants_;
        return index < longer ? index : longer;
    }

    void work(int index) {
        std::atomic<std::uint32_t>& ticket = workers_[index].ticket;
        for (std::uint32_t done = 0;; ++done) {
            for (int i = 0; i < spins && ticket.load(std::memory_order_acquire) == done; ++i) pause();
            while (ticket.load(std::memory_order_acquire) == done) ticket.wait(done, std::memory_order_acquire);
            if (stop_) return;
            take_part(index);
            if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1) remaining_.notify_one();
        }
    }

    void wait_for_workers() {
        for (int i = 0; i < spins && remaining_.load(std::memory_order_acquire) != 0; ++i) pause();
        for (int left; (left = remaining_.load(std::memory_order_acquire)) != 0;)
            remaining_.wait(left, std::memory_order_acquire);
    }

    std::exception_ptr take_failure() {
        std::exception_ptr first;
        for (int i = 0; i < participants_; ++i) {
            if (!first) first = workers_[i].failure;
            workers_[i].failure = nullptr;
        }
        failed_.store(false, std::memory_order_relaxed);
        return first;
    }

    std::unique_ptr<worker[]> workers_; // [0] stands for the caller
    int size_ = 1;
    bool stop_ = false; // published by the tickets
    alignas(64) std::atomic<bool> busy_{false};
    std::atomic<bool> failed_{false};
    // The job. Written by the caller that holds `busy_`, while no thread takes part.
    void (*run_range_)(void*, std::int64_t, std::int64_t) = nullptr;
    void* context_ = nullptr;
    std::int64_t chunks_ = 0;
    int participants_ = 0;
    alignas(64) std::atomic<int> remaining_{0};
};

/// The pool that every executor uses unless told otherwise. Made at the first call, with `default_thread_count()` threads.
inline thread_pool& default_pool() {
    static thread_pool pool;
    return pool;
}

} // namespace toroid
