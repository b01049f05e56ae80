// Tests of <toroid/inspect/report.hpp>.

#include <doctest/doctest.h>

#include <toroid/expr/expr.hpp>
#include <toroid/inspect/report.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

struct product {
    constexpr auto operator()(tensor<f32, B, 64> x, tensor<f32, 64, 32> w) const { return relu(matmul(x, w)); }
};
struct doubled {
    constexpr auto operator()(tensor<f64, 10> x) const { return 2 * x; }
};

} // namespace

TEST_CASE("report: launches and bytes for given extents") {
    // The product reads 3*64 and 64*32 elements and writes 3*32; relu reads and writes 3*32. The arena has one [3, 32].
    constexpr int moved = 4 * (3 * 64 + 64 * 32 + 3 * 32 + 2 * 3 * 32);
    static_assert(moved == 10112);
    CHECK(inspect::report<program<product>>({{'B', 3}}) ==
          "kernels: 1\nextern kernels: 1\narena: 384 bytes\nmoved: 10112 bytes\n");
}

TEST_CASE("report: a program without symbols needs no values") {
    CHECK(inspect::report<program<doubled>>() == "kernels: 1\nextern kernels: 0\narena: 0 bytes\nmoved: 160 bytes\n");
}
