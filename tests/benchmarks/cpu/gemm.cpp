// Matrix products of f32: ours, and the same call into the BLAS library.

#include <memory>

#include <toroid/backend/cpu/matmul.hpp>
#include <toroid/storage/array.hpp>

#include "rows.hpp"

namespace benchmark {
namespace {

using namespace toroid;

#if defined(TOROID_WITH_CBLAS)
/// The library itself: cblas_matmul keeps products of few rows to ours.
struct blas_library {
    template <dtype> static void run(const gemm_arguments<f32>& x) {
        const bool transposed = x.b_row_stride == 1 && x.b_col_stride != 1;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, static_cast<int>(x.m),
                    static_cast<int>(x.n), static_cast<int>(x.k), 1.0f, x.a, static_cast<int>(x.a_row_stride), x.b,
                    static_cast<int>(transposed ? x.b_col_stride : x.b_row_stride), 0.0f, x.c,
                    static_cast<int>(x.c_row_stride));
    }
};
#endif

template <class Matmul> row gemm_row(std::string name, gemm_shape s) {
    return {std::move(name), [s] {
                struct operands {
                    array<f32> a, b, c;
                };
                const auto data = std::make_shared<operands>(
                    operands{array<f32>({s.m, s.k}), array<f32>({s.k, s.n}), array<f32>({s.m, s.n})});
                for (std::int64_t i = 0; i < data->a.size(); ++i) data->a.data()[i] = static_cast<float>(i % 7) - 3.0f;
                for (std::int64_t i = 0; i < data->b.size(); ++i) data->b.data()[i] = static_cast<float>(i % 5) - 2.0f;
                gemm_arguments<f32> x;
                x.m = s.m;
                x.n = s.n;
                x.k = s.k;
                x.a = data->a.data();
                x.a_row_stride = s.k;
                x.b = data->b.data();
                x.b_row_stride = s.b_transposed ? 1 : s.n;
                x.b_col_stride = s.b_transposed ? s.k : 1;
                x.c = data->c.data();
                x.c_row_stride = s.n;
                const double m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
                return prepared{4.0 * (m * k + k * n + m * n), 2.0 * m * n * k,
                                [data, x] { Matmul::template run<f32>(x); }};
            }};
}

} // namespace

std::vector<row> gemm_rows() {
    std::vector<row> rows;
    for (const gemm_shape& s : gemm_shapes) {
        rows.push_back(gemm_row<native_matmul>(s.name(), s));
#if defined(TOROID_WITH_CBLAS)
        rows.push_back(gemm_row<blas_library>(s.name() + "/cblas", s));
#endif
    }
    return rows;
}

} // namespace benchmark
