#include <toroid/backend/cpu/thread_pool.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace toroid;

static_assert(!std::is_copy_constructible_v<thread_pool>);

TEST_CASE("every chunk runs exactly once, for any number of threads and chunks") {
    for (int threads = 1; threads <= 6; ++threads) {
        thread_pool pool(threads);
        CHECK(pool.size() == threads);
        for (std::int64_t chunks = 0; chunks <= 20; ++chunks) {
            std::vector<int> runs(static_cast<std::size_t>(chunks)); // each chunk is its own memory location
            pool.parallel_for(chunks, [&](std::int64_t chunk) { ++runs[static_cast<std::size_t>(chunk)]; });
            for (const int count : runs) CHECK(count == 1);
        }
    }
}

TEST_CASE("chunks go to threads in contiguous ranges that are the same in every call") {
    thread_pool pool(3);
    const auto owners = [&] {
        std::array<std::thread::id, 8> result;
        pool.parallel_for(
            8, [&](std::int64_t chunk) { result[static_cast<std::size_t>(chunk)] = std::this_thread::get_id(); });
        return result;
    };
    const auto first = owners();
    CHECK(first[0] == std::this_thread::get_id());
    // 8 chunks on 3 threads: 3, 3 and 2.
    CHECK((first[0] == first[1] && first[1] == first[2]));
    CHECK((first[3] == first[4] && first[4] == first[5]));
    CHECK(first[6] == first[7]);
    CHECK((first[0] != first[3] && first[3] != first[6] && first[0] != first[6]));
    for (int repeat = 0; repeat < 50; ++repeat) CHECK(owners() == first);
}

TEST_CASE("sleeping threads wake up") {
    thread_pool pool(4);
    for (int repeat = 0; repeat < 3; ++repeat) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::atomic<int> sum = 0;
        pool.parallel_for(100, [&](std::int64_t chunk) { sum += static_cast<int>(chunk); });
        CHECK(sum == 4950);
    }
}

TEST_CASE("a nested call runs on the thread that makes it") {
    thread_pool pool(3);
    std::atomic<int> inner_runs = 0;
    std::atomic<int> strangers = 0;
    pool.parallel_for(6, [&](std::int64_t) {
        const std::thread::id here = std::this_thread::get_id();
        pool.parallel_for(5, [&](std::int64_t) {
            ++inner_runs;
            if (std::this_thread::get_id() != here) ++strangers;
        });
    });
    CHECK(inner_runs == 30);
    CHECK(strangers == 0);
}

TEST_CASE("the exception of the lowest range reaches the caller, and the pool goes on working") {
    for (int threads = 1; threads <= 4; ++threads) {
        thread_pool pool(threads);
        for (int repeat = 0; repeat < 20; ++repeat) {
            std::string caught;
            try {
                pool.parallel_for(12, [](std::int64_t chunk) {
                    if (chunk >= 2) throw std::runtime_error(std::to_string(chunk));
                });
            } catch (const std::runtime_error& failure) { caught = failure.what(); }
            CHECK(caught == "2");
            std::atomic<int> runs = 0;
            pool.parallel_for(12, [&](std::int64_t) { ++runs; });
            CHECK(runs == 12);
        }
    }
}

TEST_CASE("an exception on another thread reaches the caller") {
    thread_pool pool(2);
    CHECK_THROWS_WITH_AS(pool.parallel_for(2,
                                           [](std::int64_t chunk) {
                                               if (chunk == 1) throw std::logic_error("second");
                                           }),
                         "second", std::logic_error);
}

TEST_CASE("several threads call one pool at once") {
    thread_pool pool(3);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&] {
            for (int repeat = 0; repeat < 300; ++repeat) {
                std::array<std::int64_t, 9> squares{};
                pool.parallel_for(
                    9, [&](std::int64_t chunk) { squares[static_cast<std::size_t>(chunk)] = chunk * chunk; });
                std::int64_t sum = 0;
                for (const std::int64_t square : squares) sum += square;
                if (sum != 204) ++wrong;
            }
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(wrong == 0);
}

TEST_CASE("pools end cleanly, used or not") {
    for (int repeat = 0; repeat < 20; ++repeat) {
        thread_pool unused(4);
        thread_pool used(4);
        std::atomic<int> runs = 0;
        used.parallel_for(4, [&](std::int64_t) { ++runs; });
        CHECK(runs == 4);
    }
}

TEST_CASE("a body may be const or keep state") {
    thread_pool pool(2);
    const auto constant = [](std::int64_t) {};
    pool.parallel_for(3, constant);
    std::atomic<int> runs = 0;
    auto stateful = [&runs](std::int64_t) mutable { ++runs; };
    pool.parallel_for(3, stateful);
    CHECK(runs == 3);
}

TEST_CASE("TOROID_THREADS is a number from 1 to 1024") {
    CHECK(thread_count_from_text("1") == 1);
    CHECK(thread_count_from_text("1024") == 1024);
    for (const char* text : {"", "0", "-3", "1025", "two", "4x", "99999999999999999999"})
        CHECK_THROWS_AS(thread_count_from_text(text), error);
    CHECK(default_thread_count() >= 1);
    CHECK(&default_pool() == &default_pool());
    CHECK(default_pool().size() >= 1);
}

} // namespace
