#pragma once
// protocol: how a benchmark program answers the driver, so that rounds of several programs interleave.
//
// The driver writes one command a line and reads one line of JSON for each:
//     prepare NAME   {"bytes": B, "flops": F}, or {} where the program has no such row; warms up once
//     run            {"seconds": S}: the time of one call of the row prepared last
//     drop           {}: frees the memory of that row

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace benchmark {

/// One row of the table, ready to run.
struct prepared {
    double bytes = 0;                 ///< read and written once by an ideal program
    double flops = 0;                 ///< 0 where the row is about bytes
    std::function<void()> call;
};

/// A row by name; `prepare` allocates.
struct row {
    std::string name;
    std::function<prepared()> prepare;
};

//=== matrix products ===//

/// C[m, n] = A[m, k] * B[k, n] of f32.
struct gemm_shape {
    std::int64_t m, n, k;
    bool b_transposed; ///< B is stored [n, k], as weights are

    [[nodiscard]] std::string name() const {
        return "gemm_" + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) +
               (b_transposed ? "_bt" : "");
    }
};
/// Squares, then what models ask for: small layers, one row of a large one, a few rows, a narrow result.
inline constexpr gemm_shape gemm_shapes[] = {{128, 128, 128, false}, {512, 512, 512, false}, {2048, 2048, 2048, false},
                                             {256, 256, 64, true},   {256, 10, 256, true},   {1, 4096, 4096, true},
                                             {32, 4096, 1024, true}, {4096, 64, 4096, false}};

//=== the answering side ===//

/// Seconds of `calls` calls.
inline double seconds_of(const std::function<void()>& call, std::int64_t calls) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < calls; ++i) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Answers commands until the input ends.
inline int serve(const std::vector<row>& rows) {
    prepared current;
    std::int64_t calls = 1;
    std::cout.precision(9);
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "drop") {
            current = {};
            std::cout << "{}" << std::endl;
        } else if (line == "run" && current.call) {
            std::cout << "{\"seconds\": " << seconds_of(current.call, calls) / static_cast<double>(calls) << "}"
                      << std::endl;
        } else if (line.rfind("prepare ", 0) == 0) {
            const auto found =
                std::find_if(rows.begin(), rows.end(), [&](const row& r) { return r.name == line.substr(8); });
            if (found == rows.end()) {
                std::cout << "{}" << std::endl;
                continue;
            }
            current = found->prepare();
            current.call();
            // Short calls are timed in groups of about 5 ms.
            const double once = seconds_of(current.call, 1);
            calls = once > 5e-3 ? 1 : static_cast<std::int64_t>(5e-3 / std::max(once, 1e-7)) + 1;
            std::cout << "{\"bytes\": " << current.bytes << ", \"flops\": " << current.flops << "}" << std::endl;
        } else {
            std::cerr << "unknown command: " << line << std::endl;
            return 1;
        }
    }
    return 0;
}

} // namespace benchmark
