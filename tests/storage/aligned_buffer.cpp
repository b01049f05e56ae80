// Tests of <toroid/storage/aligned_buffer.hpp>.

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

#include <toroid/storage/aligned_buffer.hpp>

#include "support.hpp"

using namespace toroid;
using tests::outcome_of;

namespace {

static_assert(!std::is_copy_constructible_v<aligned_buffer>);
static_assert(std::is_nothrow_move_constructible_v<aligned_buffer>);
static_assert(std::is_nothrow_move_assignable_v<aligned_buffer>);

} // namespace

TEST_CASE("aligned_buffer: size and alignment") {
    using sizes = std::initializer_list<std::size_t>;
    for (const std::size_t alignment : sizes{1, 8, 64, 256, 4096})
        for (const std::size_t bytes : sizes{1, 63, 64, 10000}) {
            aligned_buffer buffer(bytes, alignment);
            CHECK(buffer.size() == bytes);
            CHECK(buffer.alignment() == alignment);
            CHECK(is_aligned(buffer.data(), alignment));
            std::memset(buffer.data(), 0x5a, bytes); // the sanitizer watches the ends
        }
    CHECK(is_aligned(aligned_buffer(1).data(), 64));
}

TEST_CASE("aligned_buffer: zero bytes allocate nothing") {
    const aligned_buffer zero(0);
    CHECK(zero.data() == nullptr);
    CHECK(zero.size() == 0);
    const aligned_buffer none;
    CHECK(none.data() == nullptr);
}

TEST_CASE("aligned_buffer: moves hand the block over") {
    aligned_buffer first(100, 128);
    std::byte* const block = first.data();
    aligned_buffer second(std::move(first));
    CHECK(second.data() == block);
    CHECK(first.data() == nullptr);
    CHECK(first.size() == 0);
    aligned_buffer third(7);
    third = std::move(second);
    CHECK(third.data() == block);
    CHECK(third.size() == 100);
    CHECK(third.alignment() == 128);
    CHECK(second.data() == nullptr);
    aligned_buffer& same = third;
    third = std::move(same);
    CHECK(third.data() == block);
}

TEST_CASE("aligned_buffer: errors") {
    const auto memory = outcome_of([] { aligned_buffer buffer(std::numeric_limits<std::size_t>::max() - 63); });
    CHECK(memory.code == error_code::out_of_memory);
    CHECK(memory.message == "cannot allocate 18446744073709551552 bytes: free memory or use smaller extents");
    for (const std::size_t alignment : {std::size_t{0}, std::size_t{3}, std::size_t{48}}) {
        const auto bad = outcome_of([&] { aligned_buffer buffer(8, alignment); });
        CHECK(bad.code == error_code::invalid_argument);
        CHECK(bad.says("alignment " + std::to_string(alignment) + " is not a power of two"));
    }
}

// AddressSanitizer ends the program at such a request instead of letting it fail.
#if !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOROID_TEST_HAS_ADDRESS_SANITIZER
#endif
#endif
#ifndef TOROID_TEST_HAS_ADDRESS_SANITIZER
TEST_CASE("aligned_buffer: a request that the allocator refuses") {
    volatile std::size_t bytes = std::size_t{1} << 62;
    const auto memory = outcome_of([&] { aligned_buffer buffer(bytes); });
    CHECK(memory.code == error_code::out_of_memory);
}
#endif
#endif
