// Random values on the GPU, the time of a graph, and the copies that every row is compared with.

#include <algorithm>
#include <memory>

#include "case.hpp"
#include "device.hpp"
#include "rows.hpp"

namespace benchmark {

double replay::seconds() const {
    launch();
    float milliseconds[3];
    for (float& each : milliseconds) {
        check(cudaEventRecord(begin_, stream_), "cudaEventRecord");
        launch();
        check(cudaEventRecord(end_, stream_), "cudaEventRecord");
        check(cudaEventSynchronize(end_), "cudaEventSynchronize");
        check(cudaEventElapsedTime(&each, begin_, end_), "cudaEventElapsedTime");
    }
    std::sort(milliseconds, milliseconds + 3);
    return milliseconds[1] * 1e-3;
}

//=== values ===//

namespace {

/// A random number of each place. Source: Steele, Lea and Flood 2014, SplitMix64.
__device__ std::uint64_t random_bits(std::uint64_t seed, std::int64_t place) {
    std::uint64_t z = (seed << 40) + static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

template <class Element> __global__ void fill_normal(Element* x, std::int64_t size, std::uint64_t seed) {
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
        const std::uint64_t bits = random_bits(seed, i);
        const float radius = sqrtf(-2.0f * logf((static_cast<float>(bits >> 40) + 1.0f) * 0x1p-24f)); // Box and Muller
        x[i] = Element(radius * cospif(static_cast<float>(bits & 0xffffff) * 0x1p-23f));
    }
}
__global__ void fill_below(std::int64_t* x, std::int64_t size, std::uint64_t seed, std::int64_t below) {
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step)
        x[i] = static_cast<std::int64_t>((random_bits(seed, i) >> 1) % static_cast<std::uint64_t>(below));
}

constexpr int blocks = 1024, threads = 256;

} // namespace

void fill(toroid::cuda::array<dtype::f32>& x, std::uint64_t seed, std::int64_t, cudaStream_t stream) {
    fill_normal<<<blocks, threads, 0, stream>>>(x.data(), x.size(), seed);
    check(cudaGetLastError(), "fill_normal");
}
void fill(toroid::cuda::array<dtype::bf16>& x, std::uint64_t seed, std::int64_t, cudaStream_t stream) {
    fill_normal<<<blocks, threads, 0, stream>>>(x.data(), x.size(), seed);
    check(cudaGetLastError(), "fill_normal");
}
void fill(toroid::cuda::array<dtype::i64>& x, std::uint64_t seed, std::int64_t below, cudaStream_t stream) {
    fill_below<<<blocks, threads, 0, stream>>>(x.data(), x.size(), seed, below);
    check(cudaGetLastError(), "fill_below");
}

//=== copies ===//

namespace {

constexpr std::int64_t copied_elements = std::int64_t{1} << 30;
constexpr int vectors_in_flight = 4;

/// A thread moves four vectors of 16 bytes.
__global__ void __launch_bounds__(threads) copy_vectors(uint4* to, const uint4* from) {
    const std::int64_t first = std::int64_t{blockIdx.x} * (threads * vectors_in_flight) + threadIdx.x;
    uint4 held[vectors_in_flight];
#pragma unroll
    for (int i = 0; i < vectors_in_flight; ++i) held[i] = from[first + i * threads];
#pragma unroll
    for (int i = 0; i < vectors_in_flight; ++i) to[first + i * threads] = held[i];
}

using bf16_array = toroid::cuda::array<dtype::bf16>;

void copy_by_kernel(bf16_array& to, const bf16_array& from, cudaStream_t stream) {
    constexpr std::int64_t vectors = copied_elements * 2 / sizeof(uint4);
    copy_vectors<<<vectors / (threads * vectors_in_flight), threads, 0, stream>>>(
        reinterpret_cast<uint4*>(to.data()), reinterpret_cast<const uint4*>(from.data()));
    check(cudaGetLastError(), "copy_vectors");
}
void copy_by_driver(bf16_array& to, const bf16_array& from, cudaStream_t stream) {
    toroid::cuda::copy(from, to, stream);
}

struct copy_case {
    stream order;
    std::vector<bf16_array> from, to;
    void (*copy)(bf16_array&, const bf16_array&, cudaStream_t);

    explicit copy_case(decltype(copy) how) : copy(how) {
        for (int i = 0; i < sets(); ++i) {
            from.push_back(bf16_array::uninitialized({copied_elements}, order));
            to.push_back(bf16_array::uninitialized({copied_elements}, order));
            fill(from.back(), static_cast<std::uint64_t>(i) + 1, 0, order);
        }
    }
    [[nodiscard]] cudaStream_t work() const { return order; }
    [[nodiscard]] static int sets() { return 2; }
    [[nodiscard]] static double bytes() { return 4.0 * copied_elements; }
    void call(int set) { copy(to[static_cast<std::size_t>(set)], from[static_cast<std::size_t>(set)], order); }
    void poison_outputs() {
        for (bf16_array& each : to) poison(each, order);
    }
    [[nodiscard]] double error(int set) const {
        constexpr std::int64_t samples = 4096;
        const std::int64_t stride = copied_elements / samples + 1;
        const auto wanted = read(from[static_cast<std::size_t>(set)], 0, copied_elements / stride, stride);
        return read(to[static_cast<std::size_t>(set)], 0, copied_elements / stride, stride) == wanted ? 0 : failed;
    }
};

row copy_row(const char* name, void (*copy)(bf16_array&, const bf16_array&, cudaStream_t)) {
    return {name, [copy] { return prepare_case(std::make_shared<copy_case>(copy), 0); }};
}

} // namespace

std::vector<row> copy_rows() {
    return {copy_row("copy_bf16_1G", copy_by_kernel), copy_row("copy_bf16_1G_driver", copy_by_driver)};
}

} // namespace benchmark
