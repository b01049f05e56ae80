// Two libraries with models for different architectures in one process: each runs its own kernels.

#include <algorithm>
#include <cstdio>
#include <vector>

#include "library.hpp"

namespace {

// The numbers are small integers: every sum is exact.
bool is_right(run_on_device* run, const char* name, long long count, long long rows) {
    std::vector<float> x(static_cast<std::size_t>(count));
    std::vector<float> table(static_cast<std::size_t>(rows * 256));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) - 8;
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i % 29 + i / 256);
    std::vector<float> y(x.size(), -1);
    std::vector<float> total(static_cast<std::size_t>(rows), -1);
    char message[1024] = {};
    if (run(x.data(), count, table.data(), rows, y.data(), total.data(), message, sizeof(message)) != 0) {
        std::printf("%s: %s\n", name, message);
        return false;
    }
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += y[i] == std::max(x[i] * 2 + 1, 0.0F) ? 0 : 1;
    for (std::size_t row = 0; row < total.size(); ++row) {
        float sum = 0;
        for (std::size_t i = 0; i < 256; ++i) sum += table[row * 256 + i];
        wrong += total[row] == sum ? 0 : 1;
    }
    std::printf("%s: %lld results, %d differ\n", name, count + rows, wrong);
    return wrong == 0;
}

} // namespace

int main() {
    bool right = true;
    for (int turn = 0; turn < 2; ++turn) {
        right = is_right(run_sm_80, "sm_80", 1000 + turn, 37) && right;
        right = is_right(run_sm_90, "sm_90", 501, 70 + turn) && right;
    }
    return right ? 0 : 1;
}
