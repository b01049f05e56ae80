// benchmark_cpu: Toroid, the copies that it is compared with, and the BLAS library that it can be built with.

#include "rows.hpp"

int main() {
    std::vector<benchmark::row> rows;
    for (auto part :
         {benchmark::copy_rows(), benchmark::kernel_rows(), benchmark::model_rows(), benchmark::gemm_rows()})
        rows.insert(rows.end(), part.begin(), part.end());
    return benchmark::serve(rows);
}
