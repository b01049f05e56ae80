#pragma once
// rows: the rows of benchmark_cpu, grouped by source file.

#include <vector>

#include "../protocol.hpp"

namespace benchmark {

std::vector<row> copy_rows();
std::vector<row> kernel_rows();
std::vector<row> model_rows();
std::vector<row> gemm_rows();

} // namespace benchmark
