// layer_norm and rms_norm of rows of every length class, per dtype; see rows.hpp.

#include "rows.hpp"

namespace toroid::tests::rows {
namespace {

TEST_CASE("norms of short rows") {
    check_layer_norm<f32, 1>(1);
    check_layer_norm<f32, 31>(31);
    check_layer_norm<bf16, 64>(64);
    check_layer_norm<f16, 256>(256);
    check_layer_norm<f32, 1000>(1000);
    check_layer_norm<bf16, 1024>(1024);
    check_rms_norm<f16, 3>(3);
    check_rms_norm<f32, 100>(100);
    check_rms_norm<bf16, 256>(256);
    check_rms_norm<f32, 1024>(1024);
}
TEST_CASE("norms of long rows") {
    check_layer_norm<f32, 4096>(4096);
    check_layer_norm<bf16, 5000>(5000);
    check_layer_norm<f32, 16384>(16384);
    check_layer_norm<bf16, 65536>(65536);
    check_layer_norm<f32, 262144>(262144);
    check_rms_norm<bf16, 4096>(4096);
    check_rms_norm<f16, 16384>(16384);
    check_rms_norm<f32, 65536>(65536);
}

} // namespace
} // namespace toroid::tests::rows
