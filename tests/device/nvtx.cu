// Tests of <toroid/backend/cuda/nvtx.hpp>: every launch is one range of NVTX with the kernel's name, and results stay.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

#include <toroid/cuda.hpp>

using namespace toroid;

namespace {

int results = 0;
int wrong = 0;

void expect(bool holds, const char* what) {
    ++results;
    if (holds) return;
    ++wrong;
    std::printf("nvtx: wrong: %s\n", what);
}

//=== a tool that receives ranges: NVTX asks for one at its first call ===//

std::vector<std::string> ranges; ///< "> name" where one opens, "<" where it closes

int NVTX_API opened(const char* name) {
    ranges.push_back(std::string("> ") + name);
    return 0;
}
int NVTX_API closed() {
    ranges.push_back("<");
    return 0;
}
int NVTX_API attach(NvtxGetExportTableFunc_t table_of) {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size) == 0 ||
        size <= NVTX_CBID_CORE_RangePop)
        return 0;
    *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&opened);
    *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&closed);
    return 1;
}

//=== hooks that count, around those under test ===//

struct counted {
    launch_hooks inner = cuda::nvtx_hooks();
    std::vector<std::string> entered;
    int left = 0;
    bool grids = true;
    bool names = true;

    static counted& self(void* context) { return *static_cast<counted*>(context); }
    static void enter(void* context, const launch_info& launch) {
        counted& c = self(context);
        c.entered.push_back(launch.kernel);
        c.grids = c.grids && launch.device.blocks > 0 && launch.device.threads > 0 && launch.device.threads <= 1024 &&
                  launch.device.cluster > 0 && launch.device.blocks % launch.device.cluster == 0;
        c.names = c.names && std::strncmp(launch.kernel, "fused_", 6) == 0;
        c.inner.enter(c.inner.context, launch);
    }
    static void exit(void* context, const launch_info& launch) {
        counted& c = self(context);
        ++c.left;
        c.inner.exit(c.inner.context, launch);
    }
};

constexpr auto B = symbol('B');
struct model {
    constexpr auto operator()(tensor<f32, B, 1000> x) const { return std::tuple(softmax(x), relu(x + 1), sum<0>(x)); }
};
using model_program = program<model, targets::sm_90>;

void test_names() {
    const launch_hooks hooks = cuda::nvtx_hooks();
    launch_info launch;
    launch.kernel = "fused_add_relu_3";
    ranges.clear();
    hooks.enter(hooks.context, launch);
    hooks.exit(hooks.context, launch);
    expect(ranges == std::vector<std::string>{"> fused_add_relu_3", "<"}, "a range has the name of the kernel");
}

template <dtype T> bool same_bits(const cuda::array<T>& a, const cuda::array<T>& b) {
    const array<T> x = cuda::copy_to_host(a.view());
    const array<T> y = cuda::copy_to_host(b.view());
    return x.extents() == y.extents() && x.size() > 0 &&
           std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size_bytes())) == 0;
}

void test_executor() {
    array<f32> x({70, 1000});
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 37) / 16 - 1;
    const cuda::array<f32> input = cuda::copy_to_device(x.view());

    cuda::executor<model> plain;
    const auto wanted = plain(input.view());
    plain.synchronize();

    counted c;
    cuda::executor_options options;
    options.hooks = {counted::enter, counted::exit, &c};
    cuda::executor<model> watched(cuda::weights<model>(), options);
    for (int run = 0; run < 2; ++run) {
        c.entered.clear();
        c.left = 0;
        ranges.clear();
        const auto got = watched(input.view());
        watched.synchronize();
        expect(same_bits(std::get<0>(got), std::get<0>(wanted)) && same_bits(std::get<1>(got), std::get<1>(wanted)) &&
                   same_bits(std::get<2>(got), std::get<2>(wanted)),
               "results are those without hooks");
        expect(static_cast<int>(c.entered.size()) == model_program::launch_count() &&
                   c.left == model_program::launch_count(),
               "hooks see every launch of every run");
        expect(c.names, "kernels are named fused_...");
        expect(c.grids, "a launch has blocks and threads");
        std::vector<std::string> expected;
        for (const std::string& kernel : c.entered) {
            expected.push_back("> " + kernel);
            expected.push_back("<");
        }
        expect(!expected.empty() && ranges == expected, "every launch is one range, closed before the next opens");
    }

    options.hooks = cuda::nvtx_hooks();
    ranges.clear();
    cuda::executor<model> profiled(cuda::weights<model>(), options);
    const auto got = profiled(input.view());
    profiled.synchronize();
    expect(same_bits(std::get<0>(got), std::get<0>(wanted)), "results are those without hooks");
    expect(static_cast<int>(ranges.size()) == 2 * model_program::launch_count(),
           "the hooks need no others around them");
}

} // namespace

int main() {
    // A profiler that runs this test would be the tool otherwise.
    unsetenv("NVTX_INJECTION64_PATH");
    InitializeInjectionNvtx2_fnptr = &attach;
    try {
        test_names();
        test_executor();
    } catch (const std::exception& caught) {
        std::printf("nvtx: %s\n", caught.what());
        ++wrong;
    }
    std::printf("nvtx: %d results, %d differ\n", results, wrong);
    return wrong == 0 ? 0 : 1;
}
