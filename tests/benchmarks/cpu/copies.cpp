// The copies of 256 MB on two threads that every row is compared with: memcpy, ordinary stores, streaming stores.

#include <cstring>
#include <memory>

#include <toroid/backend/cpu/thread_pool.hpp>
#include <toroid/storage/array.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "rows.hpp"

namespace benchmark {
namespace {

using toroid::array;
using toroid::dtype;

constexpr std::int64_t elements = std::int64_t{64} << 20;

struct operands {
    array<dtype::f32> from{toroid::extent_list({elements})};
    array<dtype::f32> to{toroid::extent_list({elements})};
};

/// A row that hands each thread its half.
template <class Copy> row copy_row(const char* name, Copy copy) {
    return {name, [copy] {
                const auto data = std::make_shared<operands>();
                return prepared{8.0 * elements, 0, [data, copy] {
                                    toroid::default_pool().parallel_for(2, [&](std::int64_t half) {
                                        const std::int64_t begin = half * (elements / 2);
                                        copy(data->to.data() + begin, data->from.data() + begin, elements / 2);
                                    });
                                }};
            }};
}

#if defined(__x86_64__)
void plain_copy(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 16) {
        for (std::int64_t j = i; j < i + 16; j += 4) _mm_store_ps(to + j, _mm_load_ps(from + j));
    }
}
void streaming_copy(float* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 16) {
        for (std::int64_t j = i; j < i + 16; j += 4) _mm_stream_ps(to + j, _mm_load_ps(from + j));
    }
    _mm_sfence();
}
#endif

} // namespace

std::vector<row> copy_rows() {
    std::vector<row> rows = {copy_row("copy", [](float* to, const float* from, std::int64_t count) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
    })};
#if defined(__x86_64__)
    rows.push_back(copy_row("copy_plain", plain_copy));
    rows.push_back(copy_row("copy_streaming", streaming_copy));
#endif
    return rows;
}

} // namespace benchmark
