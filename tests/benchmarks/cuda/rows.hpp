#pragma once
// rows: the rows of benchmark_cuda, grouped by source file.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace benchmark {

/// One row of the table, ready to run.
struct prepared {
    double bytes = 0;    ///< read and written once by an ideal program
    double flops = 0;    ///< 0 where the row is about bytes
    int launches = 0;    ///< kernels that one call launches
    int sets = 1;        ///< inputs and outputs that calls take in turn
    int calls = 1;       ///< calls that are timed together
    double error = 0;    ///< largest error of a sampled element, relative to the magnitude of what it is made of
    double tolerance = 0;
    std::function<double()> seconds; ///< time of one call, measured now
};

/// A row by name; `prepare` allocates, runs and checks.
struct row {
    std::string name;
    std::function<prepared()> prepare;
};

std::vector<row> copy_rows();
std::vector<row> pointwise_rows();
std::vector<row> softmax_rows();
std::vector<row> rms_norm_rows();
std::vector<row> layer_norm_rows();
std::vector<row> sum_rows();
std::vector<row> cross_entropy_rows();
std::vector<row> mlp_rows();

} // namespace benchmark
