// sum, var, max, argmax, any and all of rows of every length class, per dtype; see rows.hpp.

#include "rows.hpp"

namespace toroid::tests::rows {
namespace {

TEST_CASE("statistics of short rows") {
    check_statistics<f32, 1>(1);
    check_statistics<bf16, 3>(3);
    check_statistics<f32, 31>(31);
    check_statistics<f16, 64>(64);
    check_statistics<f32, 100>(100);
    check_statistics<bf16, 256>(256);
    check_statistics<f32, 1000>(1000);
    check_statistics<f32, 1024>(1024);
}
TEST_CASE("statistics of long rows") {
    check_statistics<bf16, 4096>(4096);
    check_statistics<f32, 5000>(5000);
    check_statistics<f32, 16384>(16384);
    check_statistics<f16, 65536>(65536);
    check_statistics<f32, 262144>(262144);
}

} // namespace
} // namespace toroid::tests::rows
