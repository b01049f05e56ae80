// Rows whose length is known at run time only: one kernel for every length; see rows.hpp.

#include "rows.hpp"

namespace toroid::tests::rows {
namespace {

constexpr std::int64_t short_lengths[] = {1, 2, 3, 31, 32, 33, 64, 100, 127, 255, 256, 257, 1000, 1023, 1024, 1025};
constexpr std::int64_t long_lengths[] = {4096, 4097, 5000, 16384, 32767, 65536, 65537, 262144, 262145};

template <dtype T> void check_every_model(std::int64_t length) {
    check_softmax<T, S>(length);
    check_layer_norm<T, S>(length);
    check_rms_norm<T, S>(length);
    check_statistics<T, S>(length);
}

TEST_CASE("short rows of a symbolic length") {
    for (const std::int64_t length : short_lengths) {
        check_every_model<f32>(length);
        check_every_model<bf16>(length);
    }
}
TEST_CASE("long rows of a symbolic length") {
    for (const std::int64_t length : long_lengths) {
        check_every_model<f32>(length);
        check_every_model<bf16>(length);
    }
}

TEST_CASE("no rows, and rows of nothing") {
    host_executor<softmax_model<f32, S>> run;
    CHECK(run(array<f32>({0, 5})).extents() == extent_list({0, 5}));
    CHECK(run(array<f32>({5, 0})).extents() == extent_list({5, 0}));
}

} // namespace
} // namespace toroid::tests::rows
