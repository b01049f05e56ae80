// Every pointwise operation, by its default formula, gives on the device what it gives on the host: integers and bool
// exactly, floating numbers within a few units in the last place (nvcc contracts inside formulas).

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <toroid/ops/list.hpp>

using namespace toroid;

namespace {

constexpr int count = 256;

/// Operand values: special ones, then a spread of magnitudes.
template <class T> std::vector<T> operands(unsigned seed) {
    std::vector<T> values;
    if constexpr (std::is_floating_point_v<T>) {
        using limits = std::numeric_limits<T>;
        values = {T(0),
                  -T(0),
                  T(1),
                  T(-1),
                  T(0.5),
                  T(-2.5),
                  T(3),
                  T(10),
                  limits::infinity(),
                  -limits::infinity(),
                  limits::quiet_NaN(),
                  limits::max(),
                  limits::min(),
                  limits::denorm_min()};
    } else {
        values = {T(0), T(1), T(2), T(7), std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(-1)};
    }
    std::uint64_t state = seed;
    while (static_cast<int>(values.size()) < count) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const double unit = static_cast<double>(state >> 11) / 9007199254740992.0;
        values.push_back(static_cast<T>((unit - 0.5) * (values.size() % 3 == 0 ? 2.0 : 60.0)));
    }
    return values;
}

template <op O, class T> __host__ __device__ auto apply(T a, T b, T c) {
    using d = definition<O>;
    if constexpr (d::rule == type_rule::select) return d::apply(a > T(0), b, c);
    else if constexpr (d::arity == 1) return d::apply(a);
    else if constexpr (d::arity == 2) return d::apply(a, b);
    else return d::apply(a, b, c);
}
template <op O, class T> using result_t = decltype(apply<O, T>(T(), T(), T()));

template <op O, class T> __global__ void run(const T* a, const T* b, const T* c, result_t<O, T>* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) out[i] = apply<O, T>(a[i], b[i], c[i]);
}

/// Does the operation take `T` (logical ones take bool only)?
template <op O, class T> constexpr bool takes() {
    using d = definition<O>;
    if (O == op::to_dtype) return false;
    if (d::rule == type_rule::logical) return std::is_same_v<T, bool>;
    if (std::is_same_v<T, bool>) return false;
    if (d::rule == type_rule::floating) return std::is_floating_point_v<T>;
    return true;
}

template <class R> bool close(R host, R device) {
    if constexpr (!std::is_floating_point_v<R>) {
        return host == device;
    } else {
        if (std::isnan(host) || std::isnan(device)) return std::isnan(host) && std::isnan(device);
        if (host == device) return std::signbit(host) == std::signbit(device) || host != R(0);
        if (std::isinf(host) || std::isinf(device)) return false;
        const R scale = std::fmax(std::fabs(host), std::numeric_limits<R>::min());
        return std::fabs(host - device) <= 8 * std::numeric_limits<R>::epsilon() * scale;
    }
}

int failures = 0;
int checked = 0;

void require(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    ++failures;
}

template <class T> T* upload(const std::vector<T>& values) {
    T* memory = nullptr;
    std::vector<unsigned char> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = values[i];
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    require(cudaMalloc(&memory, bytes.size()), "cudaMalloc");
    require(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    return memory;
}

template <op O, class T> void check() {
    if constexpr (takes<O, T>()) {
        using R = result_t<O, T>;
        const std::vector<T> a = operands<T>(1);
        const std::vector<T> b = operands<T>(2);
        const std::vector<T> c = operands<T>(3);
        T* const device_a = upload(a);
        T* const device_b = upload(b);
        T* const device_c = upload(c);
        R* device_out = nullptr;
        require(cudaMalloc(&device_out, count * sizeof(R)), "cudaMalloc");
        run<O, T><<<2, 128>>>(device_a, device_b, device_c, device_out);
        require(cudaGetLastError(), name_of(O));
        R out[count];
        require(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost), name_of(O));
        for (int i = 0; i < count; ++i) {
            ++checked;
            const R host = apply<O, T>(T(a[i]), T(b[i]), T(c[i]));
            if (close(host, out[i])) continue;
            if (++failures <= 20)
                std::printf("%s(%g, %g, %g): host %.17g, device %.17g\n", name_of(O), static_cast<double>(a[i]),
                            static_cast<double>(b[i]), static_cast<double>(c[i]), static_cast<double>(host),
                            static_cast<double>(out[i]));
        }
        cudaFree(device_a);
        cudaFree(device_b);
        cudaFree(device_c);
        cudaFree(device_out);
    }
}

template <class T, int... I> void check_all(std::integer_sequence<int, I...>) { (check<static_cast<op>(I), T>(), ...); }

} // namespace

int main() {
    constexpr auto operations = std::make_integer_sequence<int, pointwise_count>{};
    check_all<float>(operations);
    check_all<double>(operations);
    check_all<std::int32_t>(operations);
    check_all<bool>(operations);
    std::printf("%d results compared, %d differ\n", checked, failures);
    return failures == 0 ? 0 : 1;
}
