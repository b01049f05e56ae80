// Tests of <toroid/backend/cuda/weights.hpp>: layout, upload, waiting outside and inside a capture, sharing by threads.

#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <toroid/backend/cuda/weights.hpp>

using namespace toroid;

namespace {

struct mixed {
    BOOST_HANA_DEFINE_STRUCT(mixed, (tensor<f32, 2, 3>, table), (tensor<u8, 300>, codes), (tensor<f32, 0, 4>, nothing),
                             (tensor<f64>, scale));
};
struct bare {
    BOOST_HANA_DEFINE_STRUCT(bare, (int, not_a_tensor));
};

static_assert(std::is_copy_constructible_v<cuda::weights<mixed>> &&
              std::is_nothrow_destructible_v<cuda::weights<mixed>>);
static_assert(!std::is_convertible_v<toroid::weights<mixed>, cuda::weights<mixed>>, "an upload is never silent");

int results = 0;
int wrong = 0;

void expect(bool holds, const char* what) {
    ++results;
    if (holds) return;
    ++wrong;
    std::printf("weights: wrong: %s\n", what);
}
void require(cudaError_t status, const char* call) { cuda::check(status, call); }

__global__ void spin(long long cycles) {
    for (const long long start = clock64(); clock64() - start < cycles;) {}
}
/// Long enough for the host to get everywhere first.
void delay(cudaStream_t stream) {
    spin<<<1, 1, 0, stream>>>(200'000'000);
    require(cudaGetLastError(), "spin");
}
__global__ void copy_floats(const float* from, float* to, int count) {
    if (static_cast<int>(threadIdx.x) < count) to[threadIdx.x] = from[threadIdx.x];
}

struct streams {
    streams() {
        require(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        require(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }
    streams(const streams&) = delete;
    streams& operator=(const streams&) = delete;
    ~streams() {
        cudaStreamDestroy(first);
        cudaStreamDestroy(second);
    }
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
};

toroid::weights<mixed> numbered() {
    toroid::weights<mixed> host;
    const auto table = host.view<f32>("table");
    for (int i = 0; i < 6; ++i) table.data()[i] = static_cast<float>(i + 1);
    const auto codes = host.view<u8>("codes");
    for (int i = 0; i < 300; ++i) codes.data()[i] = static_cast<std::uint8_t>(i);
    host.view<f64>("scale").data()[0] = 0.5;
    return host;
}

template <dtype T> toroid::array<T> read(const cuda::weights<mixed>& w, int number, cudaStream_t stream) {
    w.wait(stream);
    return cuda::copy_to_host(
        cuda::array_view<T>(static_cast<const storage_t<T>*>(w.data(number)), w.parameters()[number].extents), stream);
}
bool holds_numbers(const cuda::weights<mixed>& w, cudaStream_t stream) {
    const auto table = read<f32>(w, 0, stream);
    const auto codes = read<u8>(w, 1, stream);
    bool right = read<f64>(w, 3, stream).at({}) == 0.5;
    for (int i = 0; i < 6; ++i) right = right && table.data()[i] == static_cast<float>(i + 1);
    for (int i = 0; i < 300; ++i) right = right && codes(i) == static_cast<std::uint8_t>(i);
    return right;
}

void test_layout(cudaStream_t stream) {
    const cuda::weights<mixed> w(numbered(), stream);
    const auto address = [&](int number) { return reinterpret_cast<std::uintptr_t>(w.data(number)); };
    expect(address(0) % 256 == 0, "parameters are aligned");
    expect(address(1) - address(0) == 256 && address(2) - address(1) == 512 && address(3) == address(2),
           "parameters are in one allocation, each at 256 bytes");
    expect(w.size_bytes() == 1024 && w.parameters().size() == 4, "sizes of weights");
    int current = -1;
    require(cudaGetDevice(&current), "cudaGetDevice");
    expect(w.device() == current, "the device of weights");
    cudaPointerAttributes attributes{};
    require(cudaPointerGetAttributes(&attributes, w.data(3)), "cudaPointerGetAttributes");
    expect(attributes.type == cudaMemoryTypeDevice, "weights are in device memory");
    bool thrown = false;
    try {
        static_cast<void>(w.data(4));
    } catch (const std::out_of_range&) { thrown = true; }
    expect(thrown, "a parameter that the model does not have");
    expect(holds_numbers(w, stream), "values of weights");
}

void test_zeros(cudaStream_t stream) {
    const cuda::weights<mixed> w;
    const auto codes = read<u8>(w, 1, stream);
    bool clear = read<f64>(w, 3, stream).at({}) == 0;
    for (const std::uint8_t value : codes.span()) clear = clear && value == 0;
    expect(clear, "weights without arguments are zero");

    const cuda::weights<bare> none;
    none.wait(stream);
    expect(none.size_bytes() == 0 && none.device() == -1 && none.parameters().empty(), "a model without parameters");
    const cuda::weights<bare> uploaded(toroid::weights<bare>{}, stream);
    expect(uploaded.size_bytes() == 0, "upload of nothing");
}

// The reader's stream waits for an upload that is still queued, and the host does not.
void test_waiting(const streams& s) {
    delay(s.first);
    toroid::weights<mixed> host = numbered();
    const cuda::weights<mixed> w(host, s.first);
    host.view<f32>("table").data()[5] = -1; // the upload reads a copy
    cuda::array<f32> y({6}, s.second);
    w.wait(s.second);
    copy_floats<<<1, 32, 0, s.second>>>(static_cast<const float*>(w.data(0)), y.data(), 6);
    require(cudaGetLastError(), "copy_floats");
    expect(cuda::copy_to_host(y, s.second)(5) == 6, "a stream waits for the upload");
    expect(holds_numbers(w, s.second), "weights after their upload");
}

// A capturing stream cannot wait for an event from outside: the host does, the capture stays valid.
void test_capture(const streams& s) {
    cuda::array<f32> y({6}, s.second);
    require(cudaStreamSynchronize(s.second), "cudaStreamSynchronize");
    delay(s.first);
    const cuda::weights<mixed> w(numbered(), s.first);
    require(cudaStreamBeginCapture(s.second, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    w.wait(s.second);
    copy_floats<<<1, 32, 0, s.second>>>(static_cast<const float*>(w.data(0)), y.data(), 6);
    {
        // Other weights come and go meanwhile, on a stream that does not capture.
        const cuda::weights<mixed> other(numbered(), s.first);
        other.wait(s.first);
    }
    bool refused = false;
    try {
        const cuda::weights<mixed> inside(numbered(), s.second);
    } catch (const error& caught) {
        refused = std::string(caught.what()).find("captures a CUDA graph") != std::string::npos;
    }
    expect(refused, "an upload in a capture is refused");
    cudaGraph_t graph = nullptr;
    require(cudaStreamEndCapture(s.second, &graph), "cudaStreamEndCapture");
    cudaGraphExec_t executable = nullptr;
    require(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    require(cudaGraphLaunch(executable, s.second), "cudaGraphLaunch");
    expect(cuda::copy_to_host(y, s.second)(5) == 6, "weights in a captured graph");
    require(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    require(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

// Destroyed before the upload has even begun.
void test_short_life(const streams& s) {
    delay(s.first);
    { const cuda::weights<mixed> w(numbered(), s.first); }
    expect(cudaStreamSynchronize(s.first) == cudaSuccess, "weights that die during their upload");
}

void test_threads(const streams& s) {
    delay(s.first);
    constexpr int count = 4;
    int right[count] = {};
    std::vector<std::thread> threads;
    {
        const cuda::weights<mixed> w(numbered(), s.first);
        for (int i = 0; i < count; ++i)
            threads.emplace_back([w, &right, i] {
                try {
                    cudaStream_t own = nullptr;
                    require(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
                    right[i] = holds_numbers(w, own) && holds_numbers(w, own) ? 1 : 0;
                    require(cudaStreamDestroy(own), "cudaStreamDestroy");
                } catch (const std::exception& caught) { std::printf("weights: thread %d: %s\n", i, caught.what()); }
            });
    }
    for (std::thread& thread : threads) thread.join();
    expect(right[0] + right[1] + right[2] + right[3] == count, "threads share weights, which outlive their maker");
}

} // namespace

int main() {
    try {
        const streams s;
        test_layout(nullptr);
        test_layout(s.first);
        test_zeros(s.first);
        test_waiting(s);
        test_capture(s);
        test_short_life(s);
        test_threads(s);
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    } catch (const std::exception& caught) {
        std::printf("weights: %s\n", caught.what());
        ++wrong;
    }
    std::printf("weights: %d results, %d differ\n", results, wrong);
    return wrong == 0 ? 0 : 1;
}
