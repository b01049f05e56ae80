#pragma once
// matmul: matrix products on the GPU. cuBLAS for floating dtypes in the layouts it knows, matmul_simple for the rest.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <toroid/backend/cuda/check.hpp>
#include <toroid/backend/cuda/matmul_shape.hpp>
#include <toroid/backend/cuda/matmul_simple.hpp>
#include <toroid/core/dtype.hpp>
#include <toroid/core/error.hpp>
#include <toroid/core/hash.hpp>

namespace toroid::cuda {
inline namespace TOROID_CUDA_ABI {

/// As `check` of a CUDA call, for a call of cuBLAS.
inline void check(cublasStatus_t status, const char* what, int line = -1) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw error(status == CUBLAS_STATUS_ALLOC_FAILED ? error_code::out_of_memory : error_code::device_error,
                std::string("CUDA: ") + what + " failed: " + cublasLtGetStatusString(status) + " (" +
                    cublasLtGetStatusName(status) + ")",
                line);
}

namespace detail {

constexpr cudaDataType_t cublas_type(dtype type) {
    switch (type) {
    case dtype::f16: return CUDA_R_16F;
    case dtype::bf16: return CUDA_R_16BF;
    case dtype::f64: return CUDA_R_64F;
    default: return CUDA_R_32F;
    }
}

/// Alignment of an address in bytes, in the steps that kernels of cuBLAS tell apart.
inline std::uint32_t alignment_of(const void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    for (const std::uint32_t alignment : {256u, 16u, 8u, 4u, 2u})
        if (address % alignment == 0) return alignment;
    return 1;
}

/// Everything that the choice of an algorithm depends on.
struct cublas_key {
    matmul_shape shape;
    dtype type = dtype::f32;
    bool tf32 = false;
    std::uint32_t lhs_alignment = 1;
    std::uint32_t rhs_alignment = 1;
    std::uint32_t out_alignment = 1;
    std::size_t workspace_bytes = 0;

    friend constexpr bool operator==(const cublas_key&, const cublas_key&) = default;
};

struct cublas_key_hash {
    std::size_t operator()(const cublas_key& key) const {
        const matmul_shape& s = key.shape;
        std::uint64_t hash = static_cast<std::uint64_t>(key.type) << 1 | (key.tf32 ? 1 : 0);
        for (const std::int64_t each : {s.m, s.n, s.k, s.batch, s.lhs.row_stride, s.lhs.column_stride,
                                        s.lhs.batch_stride, s.rhs.row_stride, s.rhs.column_stride, s.rhs.batch_stride})
            hash = hash_combine(hash, static_cast<std::uint64_t>(each));
        for (const std::uint32_t each : {key.lhs_alignment, key.rhs_alignment, key.out_alignment})
            hash = hash_combine(hash, each);
        return static_cast<std::size_t>(hash_combine(hash, key.workspace_bytes));
    }
};

/// Descriptors and algorithm of one product. cuBLAS is column-major, so it computes out^T[n, m] = rhs^T * lhs^T: the
/// memory of a row-major matrix is its transpose there, and nothing is copied.
class cublas_plan {
public:
    cublas_plan(cublasLtHandle_t library, const cublas_key& key, int line) {
        const matmul_shape& s = key.shape;
        const cudaDataType_t type = cublas_type(key.type);
        check(cublasLtMatmulDescInit(&operation_,
                                     key.type == dtype::f64 ? CUBLAS_COMPUTE_64F
                                     : key.tf32             ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                            : CUBLAS_COMPUTE_32F,
                                     key.type == dtype::f64 ? CUDA_R_64F : CUDA_R_32F),
              "cublasLtMatmulDescInit", line);
        describe(rhs_, CUBLASLT_MATMUL_DESC_TRANSA, type, s.rhs, s.k, s.n, s.batch, line);
        describe(lhs_, CUBLASLT_MATMUL_DESC_TRANSB, type, s.lhs, s.m, s.k, s.batch, line);
        describe(out_, CUBLASLT_MATMUL_DESC_TRANSC, type, {s.n, 1, s.m * s.n}, s.m, s.n, s.batch, line);
        choose(library, key, line);
    }
    // cuBLAS does not say that its descriptors may be moved.
    cublas_plan(const cublas_plan&) = delete;
    cublas_plan& operator=(const cublas_plan&) = delete;

    /// cuBLAS has an algorithm.
    [[nodiscard]] bool is_usable() const { return usable_; }

    template <class Scale>
    void run(cublasLtHandle_t library, const void* lhs, const void* rhs, void* out, void* workspace,
             cudaStream_t stream, int line) {
        const Scale one = 1, zero = 0;
        check(cublasLtMatmul(library, &operation_, &one, rhs, &rhs_, lhs, &lhs_, &zero, out, &out_, out, &out_,
                             &algorithm_, workspace, workspace_bytes_, stream),
              "cublasLtMatmul", line);
    }

private:
    template <class Value> void set(cublasLtMatmulDescAttributes_t attribute, const Value& value, int line) {
        check(cublasLtMatmulDescSetAttribute(&operation_, attribute, &value, sizeof value),
              "cublasLtMatmulDescSetAttribute", line);
    }

    void describe(cublasLtMatrixLayoutOpaque_t& matrix, cublasLtMatmulDescAttributes_t transpose, cudaDataType_t type,
                  const matmul_operand& operand, std::int64_t rows, std::int64_t columns, std::int64_t batch,
                  int line) {
        matmul_layout layout = layout_of(operand, rows, columns);
        // The result has no transposed form; it is contiguous, so it needs none.
        if (transpose == CUBLASLT_MATMUL_DESC_TRANSC) layout = {false, columns};
        else set(transpose, std::int32_t{layout.transposed ? CUBLAS_OP_T : CUBLAS_OP_N}, line);
        check(cublasLtMatrixLayoutInit(&matrix, type, static_cast<std::uint64_t>(layout.transposed ? rows : columns),
                                       static_cast<std::uint64_t>(layout.transposed ? columns : rows), layout.leading),
              "cublasLtMatrixLayoutInit", line);
        if (batch == 1) return;
        const auto count = static_cast<std::int32_t>(batch);
        check(cublasLtMatrixLayoutSetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
              "cublasLtMatrixLayoutSetAttribute", line);
        check(cublasLtMatrixLayoutSetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                               &operand.batch_stride, sizeof operand.batch_stride),
              "cublasLtMatrixLayoutSetAttribute", line);
    }

    void choose(cublasLtHandle_t library, const cublas_key& key, int line) {
        cublasLtMatmulPreferenceOpaque_t preference;
        check(cublasLtMatmulPreferenceInit(&preference), "cublasLtMatmulPreferenceInit", line);
        const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
            check(cublasLtMatmulPreferenceSetAttribute(&preference, attribute, &value, sizeof value),
                  "cublasLtMatmulPreferenceSetAttribute", line);
        };
        prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{key.workspace_bytes});
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, key.rhs_alignment);
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, key.lhs_alignment);
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, key.out_alignment);
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, key.out_alignment);
        // The other schemes round partial sums to the two bytes of an element.
        if (is_half(key.type))
            prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});

        cublasLtMatmulHeuristicResult_t found[8];
        int count = 0;
        const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(library, &operation_, &rhs_, &lhs_, &out_, &out_,
                                                                     &preference, 8, found, &count);
        if (status == CUBLAS_STATUS_NOT_SUPPORTED) return;
        check(status, "cublasLtMatmulAlgoGetHeuristic", line);
        for (int i = 0; i < count && !usable_; ++i) {
            if (found[i].state != CUBLAS_STATUS_SUCCESS || found[i].workspaceSize > key.workspace_bytes) continue;
            algorithm_ = found[i].algo;
            workspace_bytes_ = found[i].workspaceSize;
            usable_ = true;
        }
    }

    cublasLtMatmulDescOpaque_t operation_;
    cublasLtMatrixLayoutOpaque_t lhs_;
    cublasLtMatrixLayoutOpaque_t rhs_;
    cublasLtMatrixLayoutOpaque_t out_;
    cublasLtMatmulAlgo_t algorithm_;
    std::size_t workspace_bytes_ = 0;
    bool usable_ = false;
};

} // namespace detail

/// Matrix products on one device, from one thread at a time. The first floating product, or `prepare`, opens cuBLAS on
/// the current device; a program that makes none needs no -lcublasLt. Move-only.
class matmul_library {
public:
    /// Workspace that cuBLAS is quickest with on Hopper, aligned to 256 bytes. Source: cuBLAS, cublasSetWorkspace.
    static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
    /// Plans that are kept; one more forgets all.
    static constexpr std::size_t most_plans = 1024;

    /// Opens cuBLAS. It allocates: call this before the capture of a graph that contains the first floating product.
    void prepare(int line = -1) {
        if (library_ != nullptr) return;
        cublasLtHandle_t handle = nullptr;
        check(cublasLtCreate(&handle), "cublasLtCreate", line);
        library_ = {handle, [](cublasLtContext* opened) { static_cast<void>(cublasLtDestroy(opened)); }};
    }

    /// out = lhs * rhs on `stream`: asynchronous, nothing is allocated on the device, capturable. m, n or batch of zero
    /// does nothing, k of zero gives zeros. `out` overlaps neither operand; one workspace serves one stream.
    ///
    /// Numbers: f16, bf16 and f32 sum in f32, f64 in f64, with one rounding at the end; with `tf32`, f32 factors that
    /// cuBLAS multiplies may keep only 10 bits of their mantissa. Integers wrap around in their own type. Equal shapes,
    /// strides, alignments of pointers (up to 256 bytes) and workspace sizes give equal bits, run after run on the
    /// same kind of device with the same cuBLAS. What cuBLAS cannot do (see `fits_cublas`) goes to `matmul_simple`.
    ///
    /// Throws `device_error` or `out_of_memory` with `line`.
    template <dtype T>
    void run(const matmul_shape& shape, const storage_t<T>* lhs, const storage_t<T>* rhs, storage_t<T>* out,
             void* workspace, std::size_t workspace_size, cudaStream_t stream, bool tf32 = false, int line = -1) {
        static_assert(!is_boolean(T),
                      "toroid E023: matmul has no bool version: cast the operands to an integer dtype, for "
                      "instance cast<i32>(x), and compare the result with 0");
        if (shape.m <= 0 || shape.n <= 0 || shape.batch <= 0) return;
        if (shape.k <= 0) {
            const auto elements = static_cast<std::size_t>(shape.batch * shape.m * shape.n);
            check(cudaMemsetAsync(out, 0, elements * sizeof(*out), stream), "cudaMemsetAsync", line);
            return;
        }
        if constexpr (is_floating(T)) {
            // A kernel of cuBLAS may put the batch along the third axis of its grid, which has no more blocks.
            constexpr std::int64_t most = 65535;
            matmul_shape part = shape;
            for (std::int64_t first = 0; first < shape.batch; first += most) {
                part.batch = shape.batch - first < most ? shape.batch - first : most;
                const storage_t<T>* const a = lhs + first * shape.lhs.batch_stride;
                const storage_t<T>* const b = rhs + first * shape.rhs.batch_stride;
                storage_t<T>* const c = out + first * shape.m * shape.n;
                // A column is a row to cuBLAS: it then has a vector product rather than a matrix of width one.
                const bool done =
                    shape.n == 1 && shape.m > 1
                        ? run_cublas<T>(transposed(part), b, a, c, workspace, workspace_size, stream, tf32, line)
                        : run_cublas<T>(part, a, b, c, workspace, workspace_size, stream, tf32, line);
                if (!done) matmul_simple<T>(part, a, b, c, stream, line);
            }
        } else if constexpr (!is_boolean(T)) {
            matmul_simple<T>(shape, lhs, rhs, out, stream, line);
        }
    }

    /// Products that cuBLAS was asked about: what a repeated call does not ask again.
    [[nodiscard]] std::size_t plan_count() const { return plans_.size(); }
    /// Those among them that cuBLAS has no algorithm for.
    [[nodiscard]] std::size_t fallback_count() const {
        std::size_t count = 0;
        for (const auto& [key, plan] : plans_) count += plan.is_usable() ? 0 : 1;
        return count;
    }

private:
    /// False if cuBLAS cannot.
    template <dtype T>
    bool run_cublas(const matmul_shape& shape, const storage_t<T>* lhs, const storage_t<T>* rhs, storage_t<T>* out,
                    void* workspace, std::size_t workspace_size, cudaStream_t stream, bool tf32, int line) {
        if (!fits_cublas(shape)) return false;
        prepare(line);
        const detail::cublas_key key{shape,
                                     T,
                                     tf32 && T == dtype::f32,
                                     detail::alignment_of(lhs),
                                     detail::alignment_of(rhs),
                                     detail::alignment_of(out),
                                     workspace == nullptr ? 0 : workspace_size};
        auto found = plans_.find(key);
        if (found == plans_.end()) {
            if (plans_.size() >= most_plans) plans_.clear();
            found = plans_
                        .emplace(std::piecewise_construct, std::forward_as_tuple(key),
                                 std::forward_as_tuple(library_.get(), key, line))
                        .first;
        }
        if (!found->second.is_usable()) return false;
        found->second.template run<compute_t<T>>(library_.get(), lhs, rhs, out, workspace, stream, line);
        return true;
    }

    // The way to close is stored when cuBLAS is opened, so that a library never used does not refer to cuBLAS.
    std::unique_ptr<cublasLtContext, void (*)(cublasLtContext*)> library_{nullptr, nullptr};
    std::unordered_map<detail::cublas_key, detail::cublas_plan, detail::cublas_key_hash> plans_;
};

} // namespace TOROID_CUDA_ABI
} // namespace toroid::cuda
