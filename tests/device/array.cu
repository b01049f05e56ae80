// Tests of <toroid/backend/cuda/array.hpp>: allocation, views, copies both ways, ownership, and errors.

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include <toroid/backend/cuda/array.hpp>

using namespace toroid;

namespace {

// A device view is no host view, and only a mutable view becomes a read-only one.
using device_view = cuda::array_view<f32>;
using mutable_device_view = cuda::mutable_array_view<f32>;
static_assert(std::convertible_to<mutable_device_view, device_view>);
static_assert(!std::constructible_from<mutable_device_view, device_view>);
static_assert(!std::constructible_from<device_view, toroid::array_view<f32>>);
static_assert(!std::constructible_from<device_view, toroid::mutable_array_view<f32>>);
static_assert(!std::constructible_from<device_view, toroid::array<f32>>);
static_assert(!std::constructible_from<toroid::array_view<f32>, device_view>);
static_assert(!std::constructible_from<toroid::array_view<f32>, cuda::array<f32>>);
static_assert(!std::constructible_from<device_view, cuda::array_view<f64>>);
static_assert(std::is_trivially_copyable_v<device_view>);
// An array is both views when it can be written, moves, and is never copied silently.
static_assert(std::convertible_to<const cuda::array<f32>&, device_view>);
static_assert(std::convertible_to<cuda::array<f32>&, mutable_device_view>);
static_assert(!std::convertible_to<const cuda::array<f32>&, mutable_device_view>);
static_assert(std::is_nothrow_move_constructible_v<cuda::array<f32>> && !std::copy_constructible<cuda::array<f32>>);
// copy: one dtype, a target that can be written, and at least one side on the device.
template <class From, class To>
concept can_copy = requires(const From& from, To&& to) { cuda::copy(from, std::forward<To>(to)); };
static_assert(can_copy<toroid::array<f32>, cuda::array<f32>&> && can_copy<device_view, toroid::array<f32>&>);
static_assert(can_copy<cuda::array<f32>, mutable_device_view>);
static_assert(!can_copy<toroid::array<f32>, toroid::array<f32>&>);
static_assert(!can_copy<toroid::array<f32>, cuda::array<f64>&>);
static_assert(!can_copy<toroid::array<f32>, const cuda::array<f32>&> && !can_copy<toroid::array<f32>, device_view>);
static_assert(!can_copy<toroid::array<f32>, cuda::array<f32>>);

int results = 0;
int wrong = 0;

void expect(bool holds, const char* what) {
    ++results;
    if (holds) return;
    ++wrong;
    std::printf("array: wrong: %s\n", what);
}
void require(cudaError_t status, const char* call) { cuda::check(status, call); }

/// The error that `f` throws is of this kind and says this.
template <class F> void expect_error(F&& f, error_code code, const char* part, const char* what) {
    try {
        f();
        expect(false, what);
    } catch (const error& caught) {
        const bool right = caught.code() == code && std::string(caught.what()).find(part) != std::string::npos;
        if (!right) std::printf("array: the error is: %s\n", caught.what());
        expect(right, what);
    }
}

__global__ void double_each(float* values, std::int64_t count) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= 2;
}

template <dtype T> void round_trip(cudaStream_t stream, const char* what) {
    toroid::array<T> host({3, 5, 7});
    auto* bytes = reinterpret_cast<unsigned char*>(host.data());
    for (std::size_t i = 0; i < host.size_bytes(); ++i)
        bytes[i] = static_cast<unsigned char>(T == boolean ? i % 2 : i * 37);
    const cuda::array<T> device = cuda::copy_to_device(host, stream);
    const toroid::array<T> back = cuda::copy_to_host(device, stream);
    expect(device.size_bytes() == host.size_bytes() && back.extents() == host.extents() &&
               std::memcmp(back.data(), host.data(), host.size_bytes()) == 0,
           what);
}

void test_vocabulary(cudaStream_t stream) {
    cuda::array<f32> x({2, 3}, stream);
    expect(x.size() == 6 && x.size_bytes() == 24 && x.rank() == 2 && x.extent(1) == 3, "sizes of an array");
    expect(x.extents() == extent_list{2, 3} && x.stream() == stream, "extents and stream of an array");
    int current = -1;
    require(cudaGetDevice(&current), "cudaGetDevice");
    expect(x.device() == current, "the device of an array");
    const cuda::array_view<f32> view = x;
    expect(view.data() == x.data() && view.strides() == extent_list{3, 1} && view.is_contiguous(),
           "a view of an array");
    expect(view.is_aligned(256) && view.size() == 6 && view.rank() == 2 && view.extent(0) == 2 && view.stride(0) == 3,
           "sizes of a view");
    const cuda::array_view<f32> column(x.data() + 1, {2}, {3});
    expect(!column.is_contiguous() && !column.is_aligned(16), "a strided view");

    const toroid::array<f32> zeros = cuda::copy_to_host(x, stream);
    bool clear = true;
    for (const float value : zeros.span()) clear = clear && value == 0;
    expect(clear, "an array is zero at first");

    const cuda::array<f32> nothing;
    expect(nothing.data() == nullptr && nothing.extents() == extent_list{0} && nothing.device() == -1,
           "an array without arguments");
    cuda::array<f32> empty({4, 0}, stream);
    expect(empty.data() == nullptr && empty.size() == 0 && empty.device() == current, "an array without elements");
    expect(cuda::copy_to_host(empty, stream).extents() == extent_list{4, 0}, "a copy without elements");
    const cuda::array<f64> scalar(extent_list{}, stream);
    expect(scalar.size() == 1 && cuda::copy_to_host(scalar, stream).rank() == 0, "rank 0 has one element");
}

void test_ownership(cudaStream_t stream) {
    cuda::array<f32> x = cuda::copy_to_device(toroid::array<f32>({2}, {1, 2}), stream);
    const float* const address = x.data();
    cuda::array<f32> y = std::move(x);
    expect(y.data() == address && x.data() == nullptr && x.extents() == extent_list{0}, "construction by move");
    cuda::array<f32> z({5}, stream);
    z = std::move(y);
    expect(z.data() == address && y.size() == 0, "assignment by move");
    expect(cuda::copy_to_host(z, stream)(1) == 2, "values after moves");
}

void test_copies(cudaStream_t stream) {
    toroid::array<f32> host({1000});
    for (std::int64_t i = 0; i < 1000; ++i) host(i) = static_cast<float>(i);
    cuda::array<f32> device = cuda::array<f32>::uninitialized({1000}, stream);
    cuda::copy(host, device, stream);
    host.fill(0); // pageable memory may change once copy has returned
    double_each<<<4, 256, 0, stream>>>(device.data(), device.size());
    require(cudaGetLastError(), "double_each");
    cuda::array<f32> second({10, 100}, stream);
    expect_error([&] { cuda::copy(device, second, stream); }, error_code::invalid_argument,
                 "an array of extents [1000] cannot be copied to one of extents [10, 100]",
                 "a copy with other extents");
    cuda::copy(cuda::array_view<f32>(device.data(), {10, 100}), second, stream);
    cuda::copy(second, toroid::mutable_array_view<f32>(host.data(), {10, 100}), stream);
    bool right = true;
    for (std::int64_t i = 0; i < 1000; ++i) right = right && host(i) == static_cast<float>(2 * i);
    expect(right, "values after copies and a kernel");
}

void test_errors(cudaStream_t stream) {
    const error_code invalid = error_code::invalid_argument;
    expect_error([] { cuda::array_view<f32>(nullptr, {2}); }, invalid, "null pointer was given for 2 elements",
                 "a null pointer");
    const cuda::array_view<f32> none(nullptr, {0, 2});
    expect(none.size() == 0, "a null pointer without elements");
    expect_error(
        [&] {
            cuda::array<f32>({2, -1}, stream);
        },
        invalid, "extents [2, -1] contain -1", "a negative extent");
    const toroid::array<f32> host({3, 4});
    const toroid::array_view<f32> columns(host.data(), {4, 3}, {1, 4});
    expect_error([&] { static_cast<void>(cuda::copy_to_device(columns, stream)); }, invalid, "strides [1, 4]",
                 "a strided host array");
    cuda::array<f32> device({3, 4}, stream);
    expect_error(
        [&] {
            static_cast<void>(cuda::copy_to_host(cuda::array_view<f32>(device.data(), {4, 3}, {1, 4}), stream));
        },
        invalid, "not the contiguous [3, 1]", "a strided device array");
}

// A capture refuses allocation and pageable memory, survives the refusals, and takes copies of pinned memory.
void test_capture(cudaStream_t stream) {
    float* pinned = nullptr;
    require(cudaMallocHost(&pinned, 4 * sizeof(float)), "cudaMallocHost");
    for (int i = 0; i < 4; ++i) pinned[i] = static_cast<float>(i);
    cuda::array<f32> device({4}, stream);
    toroid::array<f32> pageable({4});
    auto* dying = new cuda::array<f32>({4}, stream);
    require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    expect_error([&] { cuda::array<f32>({4}, stream); }, error_code::invalid_argument, "captures a CUDA graph",
                 "allocation in a capture");
    expect_error([&] { cuda::copy(pageable, device, stream); }, error_code::invalid_argument, "pageable",
                 "a pageable copy in a capture");
    delete dying;
    cuda::copy(toroid::array_view<f32>(pinned, {4}), device, stream);
    double_each<<<1, 32, 0, stream>>>(device.data(), device.size());
    cudaGraph_t graph = nullptr;
    require(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    cudaGraphExec_t executable = nullptr;
    require(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");

    expect(cuda::copy_to_host(device, stream)(3) == 0, "a captured copy has not run yet");
    require(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    expect(cuda::copy_to_host(device, stream)(3) == 6, "a captured copy");
    pinned[3] = 5;
    require(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    expect(cuda::copy_to_host(device, stream)(3) == 10, "a captured copy reads pinned memory at each launch");
    require(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    require(cudaGraphDestroy(graph), "cudaGraphDestroy");
    require(cudaFreeHost(pinned), "cudaFreeHost");
}

void test_everything(cudaStream_t stream) {
    test_vocabulary(stream);
    test_ownership(stream);
    test_copies(stream);
    test_errors(stream);
    round_trip<boolean>(stream, "round trip of bool");
    round_trip<u8>(stream, "round trip of u8");
    round_trip<i16>(stream, "round trip of i16");
    round_trip<i64>(stream, "round trip of i64");
    round_trip<f16>(stream, "round trip of f16");
    round_trip<bf16>(stream, "round trip of bf16");
    round_trip<f64>(stream, "round trip of f64");
}

// An array belongs to the device of its stream, and is freed there, whichever device is current.
void test_two_devices() {
    int devices = 0;
    require(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    if (devices < 2) return;
    require(cudaSetDevice(1), "cudaSetDevice");
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    cuda::array<f32> legacy({4});
    require(cudaSetDevice(0), "cudaSetDevice");
    {
        const cuda::array<f32> x = cuda::copy_to_device(toroid::array<f32>({2}, {1, 2}), stream);
        expect(x.device() == 1 && cuda::copy_to_host(x, stream)(1) == 2, "an array on another device");
    }
    expect(legacy.device() == 1, "an array on a default stream stays on its device");
    legacy = cuda::array<f32>();
    int current = -1;
    require(cudaGetDevice(&current), "cudaGetDevice");
    expect(current == 0, "the current device is left as it was");
    require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    require(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

} // namespace

int main() {
    try {
        cudaStream_t stream = nullptr;
        test_everything(stream);
        require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        test_everything(stream);
        test_capture(stream);
        test_two_devices();
        require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        require(cudaStreamDestroy(stream), "cudaStreamDestroy");
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    } catch (const std::exception& caught) {
        std::printf("array: %s\n", caught.what());
        ++wrong;
    }
    std::printf("array: %d results, %d differ\n", results, wrong);
    return wrong == 0 ? 0 : 1;
}
