// Extents alone: sums of symbols and their floor division. The cheapest row, so it is the one that slowdowns are planted in
// to see that the gate is alive: PLANTED_WORK is a number of steps of constant evaluation for nothing.

#include <toroid/core/dim.hpp>

namespace {

using namespace toroid;

constexpr bool sums_agree() {
    const dim b = symbol('B');
    const dim s = symbol('S');
    dim total = 0;
    for (int i = 1; i <= 50; ++i) {
        total = total + b + i * s;
        if (2 * floor_div(total, 2) == total + 1 || floor_div(2 * total, 2) != total) return false;
    }
    return total == 50 * b + 1275 * s;
}
static_assert(sums_agree());

#ifdef PLANTED_WORK
constexpr int planted(int steps) {
    int sum = 0;
    for (int i = 0; i < steps; ++i) sum += i % 7;
    return sum;
}
static_assert(planted(PLANTED_WORK) > 0);
#endif

} // namespace
