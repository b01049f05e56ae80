// Tests of <toroid/backend/cuda/dlpack.hpp>: tensors to views and back, and every mismatch.

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

#include <toroid/backend/cuda/dlpack.hpp>

using namespace toroid;

namespace {

// The layout of DLTensor in DLPack 1, written again so that the test needs no other library.
enum device_kind : std::int32_t { cpu_device = 1, cuda_device = 2, managed_device = 13 };
struct dl_device {
    device_kind device_type;
    std::int32_t device_id;
};
struct dl_type {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct dl_tensor {
    void* data;
    dl_device device;
    std::int32_t ndim;
    dl_type dtype;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};
static_assert(cuda::dlpack_tensor<dl_tensor> && !cuda::dlpack_tensor<dl_device>);
static_assert(std::is_same_v<decltype(cuda::from_dlpack<f32>(dl_tensor{})), cuda::array_view<f32>>);
static_assert(std::is_same_v<decltype(cuda::mutable_from_dlpack<i8>(dl_tensor{})), cuda::mutable_array_view<i8>>);

int results = 0;
int wrong = 0;

void expect(bool holds, const char* what) {
    ++results;
    if (holds) return;
    ++wrong;
    std::printf("dlpack: wrong: %s\n", what);
}
template <class F> void expect_error(F&& f, const char* part, const char* what) {
    try {
        f();
        expect(false, what);
    } catch (const error& caught) {
        const bool right =
            caught.code() == error_code::invalid_argument && std::string(caught.what()).find(part) != std::string::npos;
        if (!right) std::printf("dlpack: the error is: %s\n", caught.what());
        expect(right, what);
    }
}

// No test of from_dlpack reads memory: any aligned address does.
alignas(256) unsigned char memory[1024];
std::int64_t shape[] = {2, 3, 4, 1, 1, 1, 1, 1, 1};
std::int64_t strides[] = {1, 2, 6};

dl_tensor floats() { return {memory, {cuda_device, 0}, 3, {2, 32, 1}, shape, nullptr, 0}; }

template <dtype T> bool accepts(dl_type type) {
    dl_tensor tensor = floats();
    tensor.dtype = type;
    try {
        return cuda::from_dlpack<T>(tensor).size() == 24;
    } catch (const error&) { return false; }
}
void test_dtypes() {
    expect(accepts<boolean>({6, 8, 1}) && accepts<u8>({1, 8, 1}), "bool and u8");
    expect(accepts<i8>({0, 8, 1}) && accepts<i16>({0, 16, 1}) && accepts<i32>({0, 32, 1}) && accepts<i64>({0, 64, 1}),
           "integers");
    expect(accepts<f16>({2, 16, 1}) && accepts<bf16>({4, 16, 1}), "half types");
    expect(accepts<f32>({2, 32, 1}) && accepts<f64>({2, 64, 1}), "floating types");
    expect(!accepts<u8>({6, 8, 1}) && !accepts<boolean>({1, 8, 1}) && !accepts<f16>({4, 16, 1}) &&
               !accepts<bf16>({2, 16, 1}) && !accepts<i32>({2, 32, 1}),
           "types of the same size are told apart");
}

void test_views() {
    dl_tensor tensor = floats();
    cuda::array_view<f32> view = cuda::from_dlpack<f32>(tensor);
    expect(static_cast<const void*>(view.data()) == memory && view.extents() == extent_list{2, 3, 4} &&
               view.is_contiguous(),
           "a tensor without strides is row-major");
    tensor.strides = strides;
    tensor.byte_offset = 16;
    view = cuda::from_dlpack<f32>(tensor, 0);
    expect(static_cast<const void*>(view.data()) == memory + 16 && view.strides() == extent_list{1, 2, 6} &&
               !view.is_contiguous(),
           "strides and byte offset");
    tensor.device = {managed_device, 0};
    expect(cuda::mutable_from_dlpack<f32>(tensor, 3).size() == 24, "managed memory belongs to no single device");
    tensor.ndim = 0;
    tensor.shape = tensor.strides = nullptr;
    expect(cuda::from_dlpack<f32>(tensor).rank() == 0 && cuda::from_dlpack<f32>(tensor).size() == 1, "rank 0");
    std::int64_t none[] = {4, 0};
    tensor = floats();
    tensor.data = nullptr;
    tensor.ndim = 2;
    tensor.shape = none;
    view = cuda::from_dlpack<f32>(tensor);
    expect(view.data() == nullptr && view.size() == 0 && view.extent(0) == 4, "no elements at a null pointer");
}

void test_mismatches() {
    dl_tensor tensor = floats();
    const auto take = [&] { static_cast<void>(cuda::from_dlpack<f32>(tensor)); };
    tensor.device.device_type = cpu_device;
    expect_error(take, "a device of type 1, a cuda view needs type 2", "memory of the host");
    tensor = floats();
    tensor.device.device_id = 1;
    expect_error([&] { static_cast<void>(cuda::from_dlpack<f32>(tensor, 0)); }, "on device 1, device 0 was asked for",
                 "another device");
    expect(cuda::from_dlpack<f32>(tensor).size() == 24, "any device");
    tensor = floats();
    tensor.dtype = {2, 64, 1};
    expect_error(take, "elements float64, f32 needs float32", "another dtype");
    tensor.dtype = {2, 32, 4};
    expect_error(take, "elements float32 x 4 lanes, f32 needs float32", "lanes");
    tensor.dtype = {9, 8, 1};
    expect_error(take, "elements type 9 of 8 bits", "a dtype without a name");
    tensor = floats();
    tensor.ndim = 9;
    expect_error(take, "rank 9, a view from 0 to 8", "a rank that is too large");
    tensor.ndim = -1;
    expect_error(take, "rank -1", "a negative rank");
    tensor = floats();
    tensor.shape = nullptr;
    expect_error(take, "rank 3 but no shape", "no shape");
    tensor = floats();
    tensor.data = nullptr;
    expect_error(take, "null pointer was given for 24 elements", "a null pointer");
    tensor = floats();
    tensor.byte_offset = 2;
    expect_error(take, "2 bytes past a multiple of 4", "a misaligned address");
    std::int64_t negative[] = {2, -3, 4};
    tensor = floats();
    tensor.shape = negative;
    expect_error(take, "contain -3", "a negative extent");
}

void test_export() {
    cuda::array<f32> x({2, 3});
    cuda::dlpack_shape storage;
    const auto tensor = cuda::to_dlpack<dl_tensor>(x, storage);
    int current = -1;
    cuda::check(cudaGetDevice(&current), "cudaGetDevice");
    expect(tensor.data == x.data() && tensor.device.device_type == cuda_device && tensor.device.device_id == current,
           "address and device");
    expect(tensor.ndim == 2 && tensor.shape[0] == 2 && tensor.shape[1] == 3 && tensor.strides[0] == 3 &&
               tensor.strides[1] == 1 && tensor.byte_offset == 0,
           "shape and strides");
    expect(tensor.dtype.code == 2 && tensor.dtype.bits == 32 && tensor.dtype.lanes == 1, "dtype");
    const cuda::mutable_array_view<f32> back = cuda::mutable_from_dlpack<f32>(tensor, current);
    expect(back.data() == x.data() && back.extents() == x.extents() && back.is_contiguous(), "there and back");

    const cuda::array_view<f32> column(x.data() + 1, {2}, {3});
    const auto strided = cuda::to_dlpack<dl_tensor>(column, storage);
    expect(strided.data == x.data() + 1 && strided.ndim == 1 && strided.strides[0] == 3, "a strided view");

    cuda::array<bf16> empty({0, 5});
    const auto nothing = cuda::to_dlpack<dl_tensor>(empty, storage);
    expect(nothing.data == nullptr && nothing.dtype.code == 4 && nothing.shape[1] == 5, "no elements");

    float* managed = nullptr;
    cuda::check(cudaMallocManaged(&managed, 16), "cudaMallocManaged");
    const auto shared = cuda::to_dlpack<dl_tensor>(cuda::mutable_array_view<f32>(managed, {4}), storage);
    expect(shared.device.device_type == managed_device && shared.device.device_id == 0, "managed memory");
    cuda::check(cudaFree(managed), "cudaFree");

    float host[4] = {};
    expect_error(
        [&] { static_cast<void>(cuda::to_dlpack<dl_tensor>(cuda::mutable_array_view<f32>(host, {4}), storage)); },
        "DLPack needs type 2 (device) or 3 (managed)", "memory of the host is refused");
}

} // namespace

int main() {
    try {
        test_dtypes();
        test_views();
        test_mismatches();
        test_export();
        cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    } catch (const std::exception& caught) {
        std::printf("dlpack: %s\n", caught.what());
        ++wrong;
    }
    std::printf("dlpack: %d results, %d differ\n", results, wrong);
    return wrong == 0 ? 0 : 1;
}
