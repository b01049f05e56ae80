// Softmax of rows of every length class, per dtype; see rows.hpp.

#include "rows.hpp"

namespace toroid::tests::rows {
namespace {

TEST_CASE("softmax of short rows, f32") {
    check_softmax<f32, 1>(1);
    check_softmax<f32, 3>(3);
    check_softmax<f32, 31>(31);
    check_softmax<f32, 64>(64);
    check_softmax<f32, 100>(100);
    check_softmax<f32, 256>(256);
    check_softmax<f32, 1000>(1000);
    check_softmax<f32, 1024>(1024);
}
TEST_CASE("softmax of long rows, f32") {
    check_softmax<f32, 4096>(4096);
    check_softmax<f32, 5000>(5000);
    check_softmax<f32, 16384>(16384);
    check_softmax<f32, 65536>(65536);
    check_softmax<f32, 262144>(262144);
}
TEST_CASE("softmax of short rows, bf16 and f16") {
    check_softmax<bf16, 3>(3);
    check_softmax<f16, 64>(64);
    check_softmax<bf16, 100>(100);
    check_softmax<bf16, 1024>(1024);
    check_softmax<f16, 1000>(1000);
}
TEST_CASE("softmax of long rows, bf16 and f16") {
    check_softmax<bf16, 4096>(4096);
    check_softmax<f16, 5000>(5000);
    check_softmax<bf16, 65536>(65536);
    check_softmax<f16, 262144>(262144);
}

} // namespace
} // namespace toroid::tests::rows
