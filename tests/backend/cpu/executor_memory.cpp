// What an executor allocates, and when: the arena at once where extents have bounds, nothing in run.into.

#include <cstdlib>
#include <new>

#include <doctest/doctest.h>

#include <toroid/backend/cpu/executor.hpp>

#include "../../schedule/models.hpp"
#include "support.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTS_ALLOCATIONS 0
#endif
#endif
#if !defined(COUNTS_ALLOCATIONS)
#define COUNTS_ALLOCATIONS 1
#endif

#if COUNTS_ALLOCATIONS
namespace {
thread_local long allocations = 0;
}
// Replaced for the whole test program; all they do besides is count. Inlined, malloc and delete would seem to mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* const p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    ++allocations;
    const auto a = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(a, (bytes + a - 1) / a * a);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif

namespace toroid::tests {
namespace {

struct static_chain {
    constexpr auto operator()(tensor<f32, 16, 16> x, tensor<f32, 16, 16> w) const {
        for (int i = 0; i < 4; ++i) x = tanh(matmul(x, w));
        return x;
    }
};
struct bounded_chain {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, 16, 16> w) const {
        x.trace().check(B <= 32);
        return matmul(matmul(x, w), w);
    }
};
TEST_CASE("a check that bounds the symbols gives the arena at once; a smaller maximum of the caller counts more") {
    CHECK(cpu::executor<bounded_chain>().arena_capacity() == 32 * 16 * 4);
    CHECK(cpu::executor<bounded_chain>({}, {.maxima = {{'B', 8}}}).arena_capacity() == 8 * 16 * 4);
}
TEST_CASE("constant extents, or maxima, give the arena at once") {
    CHECK(cpu::executor<static_chain>().arena_capacity() ==
          static_cast<std::size_t>(program<static_chain>::arena_bytes()));
    cpu::executor<classifier> bounded({}, {.maxima = {{'B', 256}}});
    CHECK(bounded.arena_capacity() == 256 * (128 + 10) * 4);
    cpu::executor<classifier> unbounded;
    CHECK(unbounded.arena_capacity() == 0);
    unbounded(array<f32>({2, 64}));
    CHECK(unbounded.arena_capacity() == static_cast<std::size_t>(program<classifier>::arena_bytes({{'B', 2}})));
    bounded(array<f32>({256, 64}));
    CHECK(bounded.arena_capacity() == 256 * (128 + 10) * 4);
}

#if COUNTS_ALLOCATIONS
TEST_CASE("run.into allocates nothing") {
    thread_pool pool(2);
    cpu::executor<classifier> run(random_weights<classifier>(), {.pool = &pool, .maxima = {{'B', 64}}});
    const array<f32> x = numbers<f32>({64, 64});
    array<f32> y({64, 10});
    run.into(y, x); // the matmul's packing buffers belong to the thread and are made here
    const long before = allocations;
    run.into(y, x);
    CHECK(allocations == before);
    run(x); // and the counter counts
    CHECK(allocations > before);
}
#endif

} // namespace
} // namespace toroid::tests
