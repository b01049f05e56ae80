// benchmark_eigen: the rows as a user of Eigen would write them for speed. Dense array expressions use one thread, so
// each row is cut over the OpenMP threads here; matrix products are Eigen's own and threaded by it.

#include <omp.h>

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <string>

#include "../protocol.hpp"

namespace {

using benchmark::prepared;
using benchmark::row;
using Eigen::Index;
using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::ArrayXf ramp(Index size) {
    Eigen::ArrayXf x(size);
    for (Index i = 0; i < size; ++i) x[i] = static_cast<float>(i % 2048) * (1.0f / 1024.0f) - 1.0f;
    return x;
}
matrix ramp(Index rows, Index columns) {
    matrix x(rows, columns);
    Eigen::Map<Eigen::ArrayXf>(x.data(), x.size()) = ramp(x.size());
    return x;
}

/// Calls body(begin, end) for each thread's part of [0, size).
template <class Body> void parts(Index size, const Body& body) {
#pragma omp parallel
    {
        const Index threads = omp_get_num_threads(), number = omp_get_thread_num();
        body(size * number / threads, size * (number + 1) / threads);
    }
}

template <class F> row flat_row(const char* name, F f) {
    return {name, [f] {
                constexpr Index size = Index{64} << 20;
                const auto x = std::make_shared<Eigen::ArrayXf>(ramp(size));
                const auto y = std::make_shared<Eigen::ArrayXf>(Eigen::ArrayXf::Zero(size));
                return prepared{8.0 * size, 0, [x, y, f] {
                                    parts(size, [&](Index begin, Index end) {
                                        y->segment(begin, end - begin) = f(x->segment(begin, end - begin));
                                    });
                                }};
            }};
}

/// f(row of x, row of y) for every row, both as arrays of 1024.
template <class F> row rows_row(const char* name, F f) {
    return {name, [f] {
                const auto x = std::make_shared<matrix>(ramp(32768, 1024));
                const auto y = std::make_shared<matrix>(matrix::Zero(32768, 1024));
                return prepared{8.0 * 32768 * 1024, 0, [x, y, f] {
                                    parts(x->rows(), [&](Index begin, Index end) {
                                        for (Index i = begin; i < end; ++i) f(x->row(i).array(), y->row(i).array());
                                    });
                                }};
            }};
}

row column_sum_row() {
    return {"column_sum", [] {
                const auto x = std::make_shared<matrix>(ramp(32768, 1024));
                const auto y = std::make_shared<Eigen::RowVectorXf>(1024);
                return prepared{4.0 * 32768 * 1024 + 4096, 0, [x, y] {
                                    y->setZero();
                                    parts(x->rows(), [&](Index begin, Index end) {
                                        const Eigen::RowVectorXf part =
                                            x->middleRows(begin, end - begin).colwise().sum();
#pragma omp critical
                                        *y += part;
                                    });
                                }};
            }};
}

row transpose_add_row() {
    return {"transpose_add", [] {
                const auto x = std::make_shared<matrix>(ramp(8192, 8192));
                const auto b = std::make_shared<matrix>(ramp(8192, 8192));
                const auto y = std::make_shared<matrix>(matrix::Zero(8192, 8192));
                return prepared{12.0 * 8192 * 8192, 0, [x, b, y] {
                                    // In tiles of 64, without which a transpose misses the cache at each element.
                                    parts(128, [&](Index begin, Index end) {
                                        for (Index i = begin; i < end; ++i)
                                            for (Index j = 0; j < 128; ++j)
                                                y->block<64, 64>(64 * i, 64 * j) =
                                                    x->block<64, 64>(64 * j, 64 * i).transpose() +
                                                    b->block<64, 64>(64 * i, 64 * j);
                                    });
                                }};
            }};
}

row sum_row() {
    return {"sum", [] {
                constexpr Index size = Index{64} << 20;
                const auto x = std::make_shared<Eigen::ArrayXf>(ramp(size));
                const auto y = std::make_shared<float>(0.0f);
                return prepared{4.0 * size, 0, [x, y] {
                                    *y = 0;
                                    parts(size, [&](Index begin, Index end) {
                                        const float part = x->segment(begin, end - begin).sum();
#pragma omp critical
                                        *y += part;
                                    });
                                }};
            }};
}

row digits_row(Index batch) {
    return {"digits_" + std::to_string(batch), [batch] {
                struct operands {
                    matrix x, w1, w2, hidden, y;
                    Eigen::RowVectorXf b1, b2;
                };
                const auto d = std::make_shared<operands>();
                d->x = ramp(batch, 64);
                d->w1 = ramp(256, 64);
                d->w2 = ramp(10, 256);
                d->b1 = Eigen::RowVectorXf::Ones(256);
                d->b2 = Eigen::RowVectorXf::Ones(10);
                d->hidden.resize(batch, 256);
                d->y.resize(batch, 10);
                return prepared{0, 0, [d] {
                                    d->hidden.noalias() = d->x * d->w1.transpose();
                                    d->hidden = (d->hidden.rowwise() + d->b1).cwiseMax(0.0f);
                                    d->y.noalias() = d->hidden * d->w2.transpose();
                                    for (Index i = 0; i < d->y.rows(); ++i) {
                                        auto y = d->y.row(i).array();
                                        y += d->b2.array();
                                        y = (y - y.maxCoeff()).exp().eval();
                                        y *= 1.0f / y.sum();
                                    }
                                }};
            }};
}

row gemm_row(benchmark::gemm_shape s) {
    return {s.name(), [s] {
                struct operands {
                    matrix a, b, c;
                };
                const auto d = std::make_shared<operands>();
                d->a = ramp(s.m, s.k);
                d->b = s.b_transposed ? ramp(s.n, s.k) : ramp(s.k, s.n);
                d->c.resize(s.m, s.n);
                return prepared{0, 0, [d, b_transposed = s.b_transposed] {
                                    if (b_transposed) d->c.noalias() = d->a * d->b.transpose();
                                    else d->c.noalias() = d->a * d->b;
                                }};
            }};
}

} // namespace

int main() {
    std::vector<row> rows = {
        flat_row("chain", [](const auto& x) { return ((x * 0.5f + 1.0f) * x - 0.25f).cwiseMax(0.0f) * 2.0f; }),
        flat_row("exp_tanh_chain", [](const auto& x) { return ((x * 0.5f + 1.0f).exp() * 0.25f - x).tanh(); }),
        rows_row("softmax",
                 [](const auto& x, auto&& y) {
                     y = (x - x.maxCoeff()).exp();
                     y *= 1.0f / y.sum();
                 }),
        rows_row("layer_norm",
                 [](const auto& x, auto&& y) {
                     const float mean = x.mean();
                     const float variance = (x - mean).square().mean();
                     y = (x - mean) * (1.0f / std::sqrt(variance + 1e-5f));
                 }),
        column_sum_row(),
        transpose_add_row(),
        sum_row(),
        digits_row(1),
        digits_row(256),
    };
    for (const auto& shape : benchmark::gemm_shapes) rows.push_back(gemm_row(shape));
    return benchmark::serve(rows);
}
