// cuda::matmul_library: every dtype against sums on the host, for odd extents, transposed, broadcast, reversed and
// strided operands, batches and misaligned pointers; twice and from a CUDA graph, which must give the same bits.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <toroid/backend/cuda/matmul.hpp>

using namespace toroid;
using cuda::layout_of;
using cuda::matmul_layout;
using cuda::matmul_library;
using cuda::matmul_operand;
using cuda::matmul_shape;

//=== which strides cuBLAS can express ===//

static_assert(layout_of({7, 1, 0}, 5, 7) == matmul_layout{false, 7});
static_assert(layout_of({9, 1, 0}, 5, 7) == matmul_layout{false, 9});
static_assert(layout_of({1, 5, 0}, 5, 7) == matmul_layout{true, 5});
static_assert(layout_of({6, 1, 0}, 5, 7).leading == 0, "rows overlap");
static_assert(layout_of({0, 1, 0}, 5, 7).leading == 0, "a broadcast row");
static_assert(layout_of({14, 2, 0}, 5, 7).leading == 0, "no axis is contiguous");
static_assert(layout_of({-7, 1, 0}, 5, 7).leading == 0, "reversed rows");
static_assert(layout_of({0, 1, 0}, 1, 7) == matmul_layout{false, 7}, "the stride of one row is never used");
static_assert(layout_of({0, 3, 0}, 1, 7) == matmul_layout{true, 3}, "a strided row is a column of width one");
static_assert(layout_of({1, 0, 0}, 7, 1) == matmul_layout{true, 7});
static_assert(layout_of({3, 0, 0}, 7, 1) == matmul_layout{false, 3});
static_assert(layout_of({0, 0, 0}, 1, 1) == matmul_layout{false, 1});
static_assert(layout_of({0, 0, 0}, 1, 7).leading == 0, "a broadcast element");

constexpr matmul_shape plain(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
    return {m, n, k, batch, {k, 1, m * k}, {n, 1, k * n}};
}
static_assert(fits_cublas(plain(3, 4, 5, 6)));
static_assert(!fits_cublas(plain(std::int64_t{1} << 31, 4, 5)), "more rows than 32 bits can count");
static_assert(transposed(transposed(plain(3, 4, 5, 6))) == plain(3, 4, 5, 6));

namespace {

int failures = 0;
long long compared = 0;

void require(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    ++failures;
}
void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("%s\n", what);
    ++failures;
}

//=== cases ===//

struct test_case {
    const char* name;
    matmul_shape shape;
    bool cublas = true; ///< floating dtypes go to cuBLAS
    int lhs_misaligned = 0; ///< elements
    int rhs_misaligned = 0;
    int out_misaligned = 0;
    bool special = false; ///< an infinity meets a zero
};

matmul_shape with(matmul_shape s, matmul_operand lhs, matmul_operand rhs) {
    s.lhs = lhs;
    s.rhs = rhs;
    return s;
}

std::vector<test_case> make_cases() {
    return {
        {"square", plain(64, 64, 64)},
        {"aligned", plain(128, 256, 64)},
        {"odd", plain(67, 129, 35)},
        {"small and odd", plain(3, 5, 7)},
        {"one element", plain(1, 1, 1)},
        {"dot product", plain(1, 1, 1000)},
        {"row by matrix", plain(1, 130, 77)},
        {"matrix by column", plain(130, 1, 77)},
        {"few rows", plain(7, 256, 512)},
        {"outer product", plain(65, 33, 1)},
        {"long sum", plain(24, 24, 4096)},
        {"tall", plain(1000, 17, 40)},
        {"lhs transposed", with(plain(67, 40, 33), {1, 67, 0}, {40, 1, 0})},
        {"rhs transposed", with(plain(64, 96, 72), {72, 1, 0}, {1, 72, 0})},
        {"both transposed", with(plain(31, 45, 64), {1, 31, 0}, {1, 64, 0})},
        {"rhs transposed, one row", with(plain(1, 96, 72), {72, 1, 0}, {1, 72, 0})},
        {"lhs transposed, one column", with(plain(67, 1, 33), {1, 67, 0}, {1, 1, 0})},
        {"columns of wider matrices", with(plain(40, 24, 32), {100, 1, 0}, {57, 1, 0})},
        {"column out of a matrix", with(plain(50, 1, 30), {30, 1, 0}, {9, 1, 0})},
        {"strided row", with(plain(1, 20, 30), {0, 5, 0}, {20, 1, 0})},
        {"batch", plain(33, 18, 20, 5)},
        {"batch of transposed", with(plain(32, 16, 48, 6), {1, 32, 32 * 48}, {1, 48, 48 * 16})},
        {"batch of columns", plain(40, 1, 30, 3)},
        {"batch with broadcast rhs", with(plain(20, 24, 16, 4), {16, 1, 320}, {24, 1, 0})},
        {"batch with broadcast lhs", with(plain(20, 24, 16, 4), {16, 1, 0}, {24, 1, 384})},
        {"heads inside rows", with(plain(24, 24, 16, 3), {48, 1, 16}, {1, 48, 16})},
        {"large batch", plain(4, 4, 4, 70000)},
        {"lhs misaligned", plain(64, 64, 64), true, 1, 0, 0},
        {"rhs misaligned", plain(64, 64, 64), true, 0, 1, 0},
        {"out misaligned", plain(64, 64, 64), true, 0, 0, 1},
        {"all misaligned", plain(33, 65, 47, 2), true, 1, 3, 1},
        {"infinity times zero", plain(40, 40, 40), true, 0, 0, 0, true},
        {"lhs without a contiguous axis", with(plain(37, 70, 50), {100, 2, 0}, {70, 1, 0}), false},
        {"rhs without a contiguous axis", with(plain(70, 37, 50), {50, 1, 0}, {111, 3, 0}), false},
        {"broadcast lhs rows", with(plain(70, 37, 50), {0, 1, 0}, {37, 1, 0}), false},
        {"broadcast rhs columns", with(plain(70, 37, 50), {50, 1, 0}, {1, 0, 0}), false},
        {"broadcast elements", with(plain(70, 37, 50), {0, 0, 0}, {0, 0, 0}), false},
        {"overlapping rows", with(plain(20, 30, 40), {1, 1, 0}, {1, 1, 0}), false},
        {"reversed rows", with(plain(66, 30, 17), {-17, 1, 0}, {30, 1, 0}), false},
        {"reversed columns", with(plain(66, 30, 17), {17, 1, 0}, {30, -1, 0}), false},
        {"reversed batch", with(plain(66, 30, 17, 3), {17, 1, -17 * 66}, {30, 1, 510}), false},
        {"strided batch", with(plain(10, 12, 14, 5), {300, 2, 29}, {2, 300, 29}), false},
        {"strided and special", with(plain(70, 70, 20), {40, 2, 0}, {70, 1, 0}), false, 0, 0, 0, true},
        {"strided, large batch", with(plain(2, 2, 2, 70000), {4, 2, 8}, {2, 1, 4}), false},
        {"empty sum", plain(9, 11, 0, 2)},
        {"no rows", plain(0, 11, 5)},
        {"no columns", plain(9, 0, 5)},
        {"no batch", plain(9, 11, 5, 0)},
    };
}

//=== memory ===//

/// Where the elements of an operand lie: the index of its first one, and how many elements the memory has.
struct placement {
    std::int64_t first = 0;
    std::int64_t count = 1;
};
placement place(const matmul_operand& operand, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
    placement result;
    const std::int64_t steps[] = {operand.row_stride * (rows - 1), operand.column_stride * (columns - 1),
                                  operand.batch_stride * (batch - 1)};
    if (rows == 0 || columns == 0 || batch == 0) return result;
    for (const std::int64_t step : steps) {
        if (step < 0) result.first -= step;
        result.count += step < 0 ? -step : step;
    }
    return result;
}

/// Device memory with bytes of a known value around what a product may write.
class device_memory {
public:
    explicit device_memory(std::size_t bytes) : bytes_(bytes) { require(cudaMalloc(&data_, bytes), "cudaMalloc"); }
    device_memory(const device_memory&) = delete;
    device_memory& operator=(const device_memory&) = delete;
    ~device_memory() { cudaFree(data_); }

    template <class T> [[nodiscard]] T* at(std::int64_t element) const { return static_cast<T*>(data_) + element; }
    void fill(int value) { require(cudaMemset(data_, value, bytes_), "cudaMemset"); }
    void upload(const void* host, std::size_t bytes) {
        require(cudaMemcpy(data_, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    [[nodiscard]] std::vector<unsigned char> download() const {
        std::vector<unsigned char> host(bytes_);
        require(cudaMemcpy(host.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return host;
    }

private:
    void* data_ = nullptr;
    std::size_t bytes_;
};

/// Values of an operand: floating ones within [-1, 1], integers over their whole range.
template <dtype T> std::vector<storage_t<T>> make_values(std::int64_t count, std::uint64_t state) {
    std::vector<storage_t<T>> values(static_cast<std::size_t>(count));
    for (storage_t<T>& value : values) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        if constexpr (is_floating(T)) {
            const double unit = static_cast<double>(state >> 11) / 9007199254740992.0;
            value = static_cast<storage_t<T>>(static_cast<compute_t<T>>(2 * unit - 1));
        } else {
            value = static_cast<storage_t<T>>(state >> (64 - 8 * size_of(T)));
        }
    }
    return values;
}

//=== comparison ===//

/// Half the distance of neighbouring numbers around 1.
constexpr double rounding_unit(dtype type) {
    switch (type) {
    case dtype::f16: return 0x1p-11;
    case dtype::bf16: return 0x1p-8;
    case dtype::f64: return 0x1p-53;
    default: return 0x1p-24;
    }
}

/// A floating sum may differ from the exact one by a rounding per term, then by the rounding of the result.
template <dtype T> bool is_close(storage_t<T> value, double exact, double magnitude, std::int64_t k, bool tf32) {
    const double got = static_cast<double>(static_cast<compute_t<T>>(value));
    if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got);
    if (std::isinf(exact) || std::isinf(got)) return exact == got;
    const double sum_unit = rounding_unit(is_half(T) ? dtype::f32 : T);
    // A factor with 10 bits of mantissa, cut off rather than rounded, is off by 2^-10.
    double bound = magnitude * (2.0 * static_cast<double>(k) * sum_unit + (tf32 ? 0x1.01p-9 : 0.0));
    if (is_half(T)) bound += 1.01 * rounding_unit(T) * std::fabs(exact) + 0x1p-24;
    return std::fabs(got - exact) <= bound;
}

template <dtype T>
void compare(const test_case& c, const storage_t<T>* lhs, const storage_t<T>* rhs, const storage_t<T>* out, bool tf32) {
    const matmul_shape& s = c.shape;
    int printed = 0;
    for (std::int64_t b = 0; b < s.batch; ++b)
        for (std::int64_t i = 0; i < s.m; ++i)
            for (std::int64_t j = 0; j < s.n; ++j) {
                const storage_t<T>* x = lhs + b * s.lhs.batch_stride + i * s.lhs.row_stride;
                const storage_t<T>* y = rhs + b * s.rhs.batch_stride + j * s.rhs.column_stride;
                const storage_t<T> got = out[(b * s.m + i) * s.n + j];
                bool equal = false;
                double wanted = 0;
                if constexpr (is_floating(T)) {
                    double magnitude = 0;
                    for (std::int64_t p = 0; p < s.k; ++p, x += s.lhs.column_stride, y += s.rhs.row_stride) {
                        const double product = static_cast<double>(static_cast<compute_t<T>>(*x)) *
                                               static_cast<double>(static_cast<compute_t<T>>(*y));
                        wanted += product;
                        magnitude += std::fabs(product);
                    }
                    equal = is_close<T>(got, wanted, magnitude, s.k, tf32);
                } else {
                    std::uint64_t sum = 0;
                    for (std::int64_t p = 0; p < s.k; ++p, x += s.lhs.column_stride, y += s.rhs.row_stride)
                        sum += static_cast<std::uint64_t>(*x) * static_cast<std::uint64_t>(*y);
                    wanted = static_cast<double>(static_cast<storage_t<T>>(sum));
                    equal = got == static_cast<storage_t<T>>(sum);
                }
                ++compared;
                if (equal) continue;
                ++failures;
                if (++printed <= 3)
                    std::printf("%s %s%s [%lld, %lld, %lld]: got %.17g, wanted %.17g\n", name_of(T).data(), c.name,
                                tf32 ? " (tf32)" : "", static_cast<long long>(b), static_cast<long long>(i),
                                static_cast<long long>(j), static_cast<double>(static_cast<compute_t<T>>(got)), wanted);
            }
}

//=== runs ===//

constexpr int margin = 512; ///< elements around out, a multiple of 256 bytes

template <dtype T>
void check_case(matmul_library& library, const test_case& c, void* workspace, cudaStream_t stream, bool tf32 = false) {
    const matmul_shape& s = c.shape;
    const placement left = place(s.lhs, s.m, s.k, s.batch);
    const placement right = place(s.rhs, s.k, s.n, s.batch);
    const std::int64_t first_left = left.first + c.lhs_misaligned, first_right = right.first + c.rhs_misaligned;
    std::vector<storage_t<T>> lhs = make_values<T>(left.count + c.lhs_misaligned, 1);
    std::vector<storage_t<T>> rhs = make_values<T>(right.count + c.rhs_misaligned, 2);
    if constexpr (is_floating(T))
        if (c.special) {
            constexpr auto infinity = std::numeric_limits<compute_t<T>>::infinity();
            lhs[static_cast<std::size_t>(first_left)] = static_cast<storage_t<T>>(infinity);
            rhs[static_cast<std::size_t>(first_right)] = static_cast<storage_t<T>>(compute_t<T>(0));
        }
    device_memory device_lhs(lhs.size() * sizeof(storage_t<T>)), device_rhs(rhs.size() * sizeof(storage_t<T>));
    device_lhs.upload(lhs.data(), lhs.size() * sizeof(storage_t<T>));
    device_rhs.upload(rhs.data(), rhs.size() * sizeof(storage_t<T>));
    const std::int64_t elements = s.batch * s.m * s.n, first_out = margin + c.out_misaligned;
    device_memory out(static_cast<std::size_t>(elements + 2 * margin) * sizeof(storage_t<T>));

    const auto run = [&] {
        library.run<T>(s, device_lhs.at<storage_t<T>>(first_left), device_rhs.at<storage_t<T>>(first_right),
                       out.at<storage_t<T>>(first_out), workspace, matmul_library::workspace_bytes, stream, tf32, 7);
    };
    const auto result_of = [&](auto&& launch) {
        out.fill(0xcd);
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        launch();
        require(cudaStreamSynchronize(stream), c.name);
        return out.download();
    };

    const std::size_t plans_before = library.plan_count(), fallbacks_before = library.fallback_count();
    const std::vector<unsigned char> once = result_of(run);
    const std::size_t plans = library.plan_count();
    if (elements == 0 || s.k == 0 || !is_floating(T) || !c.cublas) expect(plans == plans_before, c.name);
    else expect(plans > plans_before, c.name);
    if (library.fallback_count() > fallbacks_before)
        std::printf("%s %s: cuBLAS has no algorithm\n", name_of(T).data(), c.name);
    if (is_floating(T) && elements > 0 && s.k > 0) expect(fits_cublas(s) == c.cublas, c.name);

    const std::vector<unsigned char> again = result_of(run);
    expect(again == once, "a second run gives other bits");
    expect(library.plan_count() == plans, "a second run makes another plan");

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    run();
    require(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    require(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    expect(result_of([&] { require(cudaGraphLaunch(executable, stream), "cudaGraphLaunch"); }) == once,
           "a graph gives other bits");
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);

    std::vector<storage_t<T>> host(static_cast<std::size_t>(elements));
    const std::size_t begin = static_cast<std::size_t>(first_out) * sizeof(storage_t<T>);
    const std::size_t end = begin + host.size() * sizeof(storage_t<T>);
    if (elements > 0) std::memcpy(static_cast<void*>(host.data()), once.data() + begin, end - begin);
    compare<T>(c, lhs.data() + first_left, rhs.data() + first_right, host.data(), tf32);
    bool untouched = true;
    for (std::size_t i = 0; i < once.size(); ++i) untouched = untouched && ((i >= begin && i < end) || once[i] == 0xcd);
    if (!untouched) std::printf("%s %s: writes outside of out\n", name_of(T).data(), c.name);
    failures += untouched ? 0 : 1;
}

template <dtype T> void check_dtype(void* workspace, cudaStream_t stream, bool tf32 = false) {
    const int before = failures;
    matmul_library library;
    for (const test_case& c : make_cases()) {
        try {
            check_case<T>(library, c, workspace, stream, tf32);
        } catch (const error& e) {
            std::printf("%s %s: %s\n", name_of(T).data(), c.name, e.what());
            ++failures;
        }
    }
    std::printf("%s%s: %zu plans, %d failures\n", name_of(T).data(), tf32 ? " (tf32)" : "", library.plan_count(),
                failures - before);
}

/// Without a workspace a product still has an algorithm, and more shapes than the library keeps are only forgotten.
void check_limits(cudaStream_t stream) {
    constexpr std::int64_t side = 1100;
    matmul_library library;
    device_memory ones(side * sizeof(float)), out(side * sizeof(float));
    const std::vector<float> host(side, 1.0f);
    ones.upload(host.data(), side * sizeof(float));
    for (std::int64_t n = 1; n <= side; ++n)
        library.run<f32>(plain(1, n, 1), ones.at<float>(0), ones.at<float>(0), out.at<float>(0), nullptr, 0, stream);
    expect(library.plan_count() == side - matmul_library::most_plans, "the number of plans is bounded");
    require(cudaStreamSynchronize(stream), "products without a workspace");
    const std::vector<unsigned char> bytes = out.download();
    expect(std::memcmp(bytes.data(), host.data(), bytes.size()) == 0, "products without a workspace");

    matmul_library moved = std::move(library);
    moved.run<f32>(plain(1, side, 1), ones.at<float>(0), ones.at<float>(0), out.at<float>(0), nullptr, 0, stream);
    expect(moved.plan_count() == side - matmul_library::most_plans, "a moved library keeps its plans");
    require(cudaStreamSynchronize(stream), "a moved library");
}

/// A failed call of cuBLAS carries the line of the plan and what cuBLAS says.
void check_error() {
    try {
        cuda::check(CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmul", 12);
        expect(false, "an error of cuBLAS is thrown");
    } catch (const error& e) {
        expect(e.code() == error_code::device_error && e.line() == 12, "code and line of an error of cuBLAS");
        expect(std::strstr(e.what(), "cublasLtMatmul failed: ") != nullptr &&
                   std::strstr(e.what(), "CUBLAS_STATUS_NOT_SUPPORTED") != nullptr,
               "text of an error of cuBLAS");
    }
}

} // namespace

int main() try {
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    device_memory workspace(matmul_library::workspace_bytes);
    void* const scratch = workspace.at<unsigned char>(0);
    check_dtype<u8>(scratch, stream);
    check_dtype<i8>(scratch, stream);
    check_dtype<i16>(scratch, stream);
    check_dtype<i32>(scratch, stream);
    check_dtype<i64>(scratch, stream);
    check_dtype<f16>(scratch, stream);
    check_dtype<bf16>(scratch, stream);
    check_dtype<f32>(scratch, stream);
    check_dtype<f64>(scratch, stream);
    check_dtype<f32>(scratch, stream, true);
    check_limits(stream);
    check_error();
    cudaStreamDestroy(stream);
    std::printf("%lld results compared, %d failures\n", compared, failures);
    return failures == 0 ? 0 : 1;
} catch (const error& e) {
    std::printf("%s\n", e.what());
    return 1;
}
