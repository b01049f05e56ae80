#pragma once
// A small persistent thread pool with static chunk assignment: what CPU kernels and matmuls share.
//
// It uses POSIX threads and the compilers' atomic operations, since <thread> and <atomic> cost every user of the library
// more than this file does.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <type_traits>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

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
    const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > max_threads ? max_threads : static_cast<int>(count);
}

namespace detail {

/// A counter on which one thread may sleep until another changes it.
class waitable_counter {
public:
    waitable_counter() = default;
    waitable_counter(const waitable_counter&) = delete;
    waitable_counter& operator=(const waitable_counter&) = delete;

    [[nodiscard]] std::uint32_t load() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
    /// For a value that is published by other means.
    void set_unpublished(std::uint32_t value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }

    /// Adds and returns the sum. Does not wake the sleeper.
    std::uint32_t add(std::uint32_t difference) noexcept {
        return __atomic_add_fetch(&value_, difference, __ATOMIC_SEQ_CST);
    }
    /// Wakes the thread that sleeps, if there is one.
    void notify() noexcept {
        // Here the change of `value_` precedes the load of `asleep_`, in `wait` the store of `asleep_` precedes the load
        // of `value_`. One total order of the four means that at least one side sees the other.
        if (!__atomic_load_n(&asleep_, __ATOMIC_SEQ_CST)) return;
        ::pthread_mutex_lock(&mutex_);
        ::pthread_cond_signal(&changed_);
        ::pthread_mutex_unlock(&mutex_);
    }
    /// Spins, then sleeps while the value is `old`.
    void wait(std::uint32_t old) noexcept {
        for (int i = 0; i < spins; ++i) {
            if (load() != old) return;
            pause();
        }
        ::pthread_mutex_lock(&mutex_);
        __atomic_store_n(&asleep_, true, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&value_, __ATOMIC_SEQ_CST) == old) ::pthread_cond_wait(&changed_, &mutex_);
        __atomic_store_n(&asleep_, false, __ATOMIC_RELAXED);
        ::pthread_mutex_unlock(&mutex_);
    }

private:
    static constexpr int spins = 1000;

    static void pause() noexcept {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        ::sched_yield();
#endif
    }

    std::uint32_t value_ = 0;
    bool asleep_ = false;
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
};

} // namespace detail

/// Persistent threads that run numbered chunks. Chunks are assigned statically, contiguous ranges in thread order, so
/// which thread runs a chunk depends only on the counts. Idle threads spin for some ten microseconds, then sleep.
/// A process that forks must not use the pool in the child.
class thread_pool {
public:
    /// Makes `threads - 1` threads; the caller of `parallel_for` is the remaining one. If the system refuses a thread,
    /// the pool is smaller.
    explicit thread_pool(int threads = default_thread_count())
        : workers_(new worker[static_cast<std::size_t>(threads > 1 ? threads : 1)]) {
        for (; size_ < threads; ++size_) {
            worker& next = workers_[size_];
            next.pool = this;
            // Fewer threads give the same results.
            if (::pthread_create(&next.thread, nullptr, &thread_pool::entry, &next) != 0) break;
        }
    }

    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    ~thread_pool() {
        stop_ = true;
        for (int i = 1; i < size_; ++i) {
            wake(i);
            ::pthread_join(workers_[i].thread, nullptr);
        }
        delete[] workers_;
    }

    /// Number of threads, the caller included.
    [[nodiscard]] int size() const noexcept { return size_; }

    /// Calls `body(chunk)` once for every chunk in [0, chunks) and returns when all are done. Allocates nothing.
    /// Runs all chunks on the calling thread if the pool is busy: with another caller, or because the call is nested.
    /// If bodies throw, each thread abandons the rest of its own range and the exception of the lowest one is rethrown.
    template <class Body> void parallel_for(std::int64_t chunks, Body&& body) {
        if (chunks <= 0) return;
        if (size_ == 1 || chunks == 1 || __atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) {
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
            return;
        }
        using body_type = std::remove_reference_t<Body>;
        context_ = const_cast<void*>(static_cast<const void*>(__builtin_addressof(body)));
        run_range_ = [](void* context, std::int64_t first, std::int64_t last) {
            body_type& run = *static_cast<body_type*>(context);
            for (std::int64_t chunk = first; chunk < last; ++chunk) run(chunk);
        };
        chunks_ = chunks;
        participants_ = chunks < size_ ? static_cast<int>(chunks) : size_;
        remaining_.set_unpublished(static_cast<std::uint32_t>(participants_ - 1));
        take_part(0);
        wait_for_workers();
        const std::exception_ptr failure = __atomic_load_n(&failed_, __ATOMIC_RELAXED) ? take_failure() : nullptr;
        __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
        if (failure) std::rethrow_exception(failure);
    }

private:
    struct alignas(64) worker {
        detail::waitable_counter ticket; // number of jobs handed to this thread
        std::exception_ptr failure;
        thread_pool* pool = nullptr;
        pthread_t thread = {};
    };

    static void* entry(void* argument) noexcept {
        worker* const self = static_cast<worker*>(argument);
        self->pool->work(static_cast<int>(self - self->pool->workers_));
        return nullptr;
    }

    void wake(int index) noexcept {
        workers_[index].ticket.add(1);
        workers_[index].ticket.notify();
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
            __atomic_store_n(&failed_, true, __ATOMIC_RELAXED);
        }
    }

    // The first chunks % participants ranges are one longer.
    [[nodiscard]] std::int64_t offset(int index) const {
        const std::int64_t longer = chunks_ % participants_;
        return index < longer ? index : longer;
    }

    void work(int index) noexcept {
        detail::waitable_counter& ticket = workers_[index].ticket;
        for (std::uint32_t done = 0;; ++done) {
            ticket.wait(done);
            if (stop_) return;
            take_part(index);
            if (remaining_.add(-1u) == 0) remaining_.notify();
        }
    }

    void wait_for_workers() noexcept {
        for (std::uint32_t left; (left = remaining_.load()) != 0;) remaining_.wait(left);
    }

    std::exception_ptr take_failure() {
        std::exception_ptr first;
        for (int i = 0; i < participants_; ++i) {
            if (!first) first = workers_[i].failure;
            workers_[i].failure = nullptr;
        }
        __atomic_store_n(&failed_, false, __ATOMIC_RELAXED);
        return first;
    }

    worker* workers_; // [0] stands for the caller
    int size_ = 1;
    bool stop_ = false; // published by the tickets
    alignas(64) bool busy_ = false; // atomic, as `failed_` is
    bool failed_ = false;
    // The job. Written by the caller that holds `busy_`, while no thread takes part.
    void (*run_range_)(void*, std::int64_t, std::int64_t) = nullptr;
    void* context_ = nullptr;
    std::int64_t chunks_ = 0;
    int participants_ = 0;
    alignas(64) detail::waitable_counter remaining_; // of the threads besides the caller
};

/// The pool that every executor uses unless told otherwise. Made at the first call, with `default_thread_count()` threads.
inline thread_pool& default_pool() {
    static thread_pool pool;
    return pool;
}

} // namespace toroid
