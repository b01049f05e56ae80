// What a run on the GPU checks before it launches anything, what its errors say, streams, graphs and hooks.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../schedule/models.hpp"
#include "../storage/support.hpp"
#include "support.hpp"

namespace toroid::tests {
namespace {

struct pair_sum {
    constexpr auto operator()(tensor<f32, B, 4> x, tensor<f32, B, 4> y) const { return x + y; }
};

/// A one-line message of the given code with every given text in it.
template <class... Text> bool explains(const outcome& o, error_code code, const Text&... text) {
    const bool complete = (o.says(text) && ...);
    if (!complete || o.code != code) MESSAGE(o.message);
    return o.is_one_line() && o.code == code && complete;
}

cuda::array<f32> device_zeros(const extent_list& extents) { return cuda::copy_to_device(array<f32>(extents).view()); }

//=== arguments ===//

TEST_CASE("an input of another rank is named with both ranks") {
    host_executor<pair_sum> run;
    const outcome o = outcome_of([&] { run(array<f32>({2, 4}), array<f32>({2, 4, 1})); });
    CHECK(explains(o, error_code::invalid_argument, "input 1", "rank 3", "wants 2"));
}

TEST_CASE("an input of another extent is named with its axis and both extents") {
    host_executor<pair_sum> run;
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({2, 5}), array<f32>({2, 4}));
                   }),
                   error_code::guard_failed, "input 0", "axis 1", "extent 5", "wants 4"));
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({2, 4}), array<f32>({3, 4}));
                   }),
                   error_code::guard_failed, "input 1", "axis 0", "extent 3", "wants B = 2"));
}

TEST_CASE("another dtype does not compile") {
    using run = cuda::executor<pair_sum>;
    using f32_view = cuda::array_view<f32>;
    static_assert(std::is_invocable_v<run&, const f32_view&, const f32_view&>);
    static_assert(!std::is_invocable_v<run&, const f32_view&, const cuda::array_view<f64>&>);
    static_assert(!std::is_invocable_v<run&, const f32_view&>);
}

TEST_CASE("a strided input is refused") {
    cuda::executor<pair_sum> run;
    const auto wide = device_zeros({2, 8});
    const auto y = device_zeros({2, 4});
    const cuda::array_view<f32> strided(wide.data(), {2, 4}, {8, 2});
    CHECK(explains(outcome_of([&] { run(strided, y.view()); }), error_code::invalid_argument, "input 0", "strided"));
}

TEST_CASE("an address that is no multiple of the widest access is refused") {
    cuda::executor<pair_sum> run;
    auto memory = device_zeros({64});
    const auto y = device_zeros({2, 4});
    const auto view_at = [&](int element) { return cuda::mutable_array_view<f32>(memory.data() + element, {2, 4}); };
    CHECK(explains(outcome_of([&] { run(y.view(), view_at(1)); }), error_code::invalid_argument, "input 1",
                   "misaligned"));
    CHECK(explains(outcome_of([&] { run.into(view_at(2), y.view(), y.view()); }), error_code::invalid_argument,
                   "output 0", "misaligned"));
    CHECK_FALSE(outcome_of([&] { run(y.view(), view_at(4)); }).thrown);
    run.synchronize();
}

/// Rows whose addresses are at every element of a vector, for widths that no vector divides.
struct affine {
    constexpr auto operator()(tensor<f32, B, S> x, tensor<f32, S> y) const {
        return std::tuple(x * 2 + y, softmax(x), sum<0>(x));
    }
};
TEST_CASE("an output's neighbours in memory stay as they are") {
    for (const std::int64_t n : {64, 63, 1, 5}) {
        CAPTURE(n);
        const auto x = cuda::copy_to_device(numbers<f32>({5, n}));
        const auto y = cuda::copy_to_device(numbers<f32>({n}, 2));
        constexpr std::int64_t margin = 64;
        const auto guarded = [&](std::int64_t size) {
            array<f32> host({size + 2 * margin});
            host.fill(-77);
            return cuda::copy_to_device(host);
        };
        auto out_0 = guarded(5 * n);
        auto out_1 = guarded(5 * n);
        auto out_2 = guarded(n);
        cuda::executor<affine> run;
        run.into(cuda::mutable_array_view<f32>(out_0.data() + margin, {5, n}),
                 cuda::mutable_array_view<f32>(out_1.data() + margin, {5, n}),
                 cuda::mutable_array_view<f32>(out_2.data() + margin, {n}), x.view(), y.view());
        run.synchronize();
        for (const auto* const out : {&out_0, &out_1, &out_2}) {
            const array<f32> host = cuda::copy_to_host(*out);
            bool intact = true;
            for (std::int64_t i = 0; i < host.size(); ++i) {
                const bool outside = i < margin || i >= host.size() - margin;
                intact = intact && (host(i) == -77) == outside;
            }
            CHECK(intact);
        }
    }
}

TEST_CASE("an output of another shape is named with both shapes") {
    cuda::executor<pair_sum> run;
    auto y = device_zeros({4, 2});
    const auto x = device_zeros({2, 4});
    CHECK(explains(outcome_of([&] { run.into(y.mutable_view(), x.view(), x.view()); }), error_code::invalid_argument,
                   "output 0", "[4, 2]", "[2, 4]"));
}

TEST_CASE("an output that overlaps an input is refused, one that touches it is not") {
    cuda::executor<pair_sum> run;
    auto memory = device_zeros({6, 4});
    const auto x = device_zeros({2, 4});
    const auto rows = [&](int first) { return cuda::mutable_array_view<f32>(memory.data() + 4 * first, {2, 4}); };
    CHECK(explains(outcome_of([&] { run.into(rows(1), x.view(), rows(2)); }), error_code::invalid_argument, "output 0",
                   "overlaps input 1"));
    CHECK(outcome_of([&] { run.into(rows(0), rows(0), x.view()); }).thrown);
    CHECK_FALSE(outcome_of([&] { run.into(rows(0), rows(2), rows(4)); }).thrown);
    run.synchronize();
}

TEST_CASE("try_run returns the error that the call would throw") {
    cuda::executor<pair_sum> run;
    const auto x = device_zeros({2, 4});
    const auto narrow = device_zeros({2, 3});
    CHECK(run.try_run(x.view(), x.view()).has_value());
    const auto bad = run.try_run(x.view(), narrow.view());
    REQUIRE_FALSE(bad);
    CHECK(bad.failure().code() == error_code::guard_failed);
    run.synchronize();
}

//=== guards ===//

struct at_most_64 {
    constexpr auto operator()(tensor<f32, B, 4> x) const {
        x.trace().check(B <= 64);
        return x + 1;
    }
};
TEST_CASE("a check that does not hold says the condition and the value, and names its line") {
    host_executor<at_most_64> run;
    CHECK(run(array<f32>({64, 4})).extent(0) == 64);
    CHECK(explains(outcome_of([&] {
                       run(array<f32>({100, 4}));
                   }),
                   error_code::guard_failed, "the model checks", "B (= 100)", "<= 64", "does not hold"));
    int line = -1;
    try {
        run(array<f32>({100, 4}));
    } catch (const error& failure) { line = failure.line(); }
    using lines = program<at_most_64, targets::sm_90>;
    REQUIRE(line >= 0);
    REQUIRE(line < lines::wrapper.sizes.lines);
    CHECK(lines::wrapper.lines[line].kind == line_kind::guard);
}

TEST_CASE("nothing is launched before every guard has passed") {
    cuda::executor<at_most_64> run;
    array<f32> sevens({100, 4});
    sevens.fill(7);
    auto y = cuda::copy_to_device(sevens.view());
    const auto x = device_zeros({100, 4});
    CHECK(outcome_of([&] { run.into(y.mutable_view(), x.view()); }).thrown);
    run.synchronize();
    CHECK(same_bits(cuda::copy_to_host(y.view()), sevens));
}

struct assumes_even {
    constexpr auto operator()(tensor<f32, B> x) const {
        x.trace().expect_true(multiple_of(B, 2));
        return x + 1;
    }
};
TEST_CASE("an assumption is asserted at run time") {
    host_executor<assumes_even> run;
    CHECK(run(array<f32>({6})).size() == 6);
    CHECK(explains(outcome_of([&] { run(array<f32>({7})); }), error_code::guard_failed, "the model assumes", "B (= 7)",
                   "multiple of 2"));
}

struct equal_symbols {
    constexpr auto operator()(tensor<f32, B> x, tensor<f32, S> y) const { return x + with_extents<B>(y); }
};
TEST_CASE("a stated equality is a guard") {
    host_executor<equal_symbols> run;
    CHECK(same_bits(run(array<f32>({2}, {1, 2}), array<f32>({2}, {3, 4})), array<f32>({2}, {4, 6})));
    CHECK(explains(outcome_of([&] { run(array<f32>({2}), array<f32>({3})); }), error_code::guard_failed, "S (= 3)",
                   "==", "B (= 2)"));
}

struct slice_of_unknown {
    constexpr auto operator()(tensor<f32, B> x) const { return slice<0, 2, 5>(x); }
};
TEST_CASE("a slice of a symbolic extent checks that it fits") {
    host_executor<slice_of_unknown> run;
    CHECK(same_bits(run(array<f32>({5}, {0, 1, 2, 3, 4})), array<f32>({3}, {2, 3, 4})));
    CHECK(explains(outcome_of([&] { run(array<f32>({4})); }), error_code::guard_failed, "5", "B (= 4)"));
}

//=== graphs and streams ===//

/// A stream that is destroyed with its scope.
class stream {
public:
    stream() { cuda::check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    ~stream() { cudaStreamDestroy(handle_); }
    operator cudaStream_t() const { return handle_; }
    void synchronize() const { cuda::check(cudaStreamSynchronize(handle_), "cudaStreamSynchronize"); }

private:
    cudaStream_t handle_ = nullptr;
};

TEST_CASE("graph, plain launches and checked launches give the same bits") {
    const weights<classifier> w = random_weights<classifier>();
    const array<f32> x = numbers<f32>({33, 64});
    host_executor<classifier> graph(w);
    cuda::executor_options plain;
    plain.use_graph = false;
    cuda::executor_options careful;
    careful.synchronous = true;
    const array<f32> wanted = graph(x);
    CHECK(same_bits(graph(x), wanted));
    CHECK(same_bits(host_executor<classifier>(w, plain)(x), wanted));
    CHECK(same_bits(host_executor<classifier>(w, careful)(x), wanted));
}

TEST_CASE("a graph follows its pointers and its extents") {
    const weights<classifier> w = random_weights<classifier>();
    cuda::executor<classifier> run(w);
    cuda::executor_options plain;
    plain.use_graph = false;
    host_executor<classifier> check(w, plain);
    std::vector<cuda::array<f32>> inputs;
    std::vector<array<f32>> wanted;
    for (unsigned i = 0; i < 6; ++i) {
        const array<f32> x = numbers<f32>({i % 2 == 0 ? 9 : 5, 64}, i);
        inputs.push_back(cuda::copy_to_device(x.view()));
        wanted.push_back(check(x));
    }
    // Every round writes elsewhere, the third where the first did.
    std::vector<cuda::array<f32>> outputs[2];
    for (auto& set : outputs)
        for (const auto& x : inputs) set.push_back(device_zeros({x.extent(0), 10}));
    for (int round = 0; round < 4; ++round)
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            auto& y = outputs[round % 2][i];
            cuda::check(cudaMemset(y.data(), 0, y.size_bytes()), "cudaMemset");
            run.into(y.mutable_view(), inputs[i].view());
            run.synchronize();
            CHECK(same_bits(cuda::copy_to_host(y.view()), wanted[i]));
        }
    CHECK(run.graphs().instantiations == 12);
    CHECK(run.graphs().hits == 12);
}
TEST_CASE("a full cache of graphs updates the one that was not used for longest") {
    const weights<classifier> w = random_weights<classifier>();
    cuda::executor_options options;
    options.maxima = {{'B', 16}};
    options.cached_graphs = 2;
    cuda::executor<classifier> run(w, options);
    host_executor<classifier> check(w);
    for (int round = 0; round < 2; ++round)
        for (std::int64_t rows = 3; rows < 7; ++rows) {
            const array<f32> x = numbers<f32>({rows, 64});
            const auto device_x = cuda::copy_to_device(x);
            const auto y = run(device_x.view());
            run.synchronize();
            CHECK(same_bits(cuda::copy_to_host(y), check(x)));
        }
    const auto& did = run.graphs();
    CHECK(did.hits + did.updates + did.instantiations == 8);
    CHECK(did.instantiations >= 2);
}
TEST_CASE("maxima give the memory at once") {
    cuda::executor_options options;
    options.maxima = {{'B', 64}};
    cuda::executor<classifier> run(random_weights<classifier>(), options);
    const std::size_t bytes = run.memory_capacity();
    CHECK(bytes >= static_cast<std::size_t>(program<classifier, targets::sm_90>::arena_bytes({{'B', 64}})));
    const auto x = cuda::copy_to_device(numbers<f32>({64, 64}));
    auto y = device_zeros({64, 10});
    run.into(y.mutable_view(), x.view());
    run.synchronize();
    CHECK(run.memory_capacity() == bytes);
}
TEST_CASE("a capture for which the arena would have to grow is refused") {
    const stream capturing;
    cuda::executor<classifier> run(random_weights<classifier>());
    const auto x = cuda::copy_to_device(numbers<f32>({64, 64}));
    auto y = device_zeros({64, 10});
    cudaGraph_t graph = nullptr;
    cuda::check(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    const outcome o = outcome_of([&] { run.into(capturing, y.mutable_view(), x.view()); });
    cuda::check(cudaStreamEndCapture(capturing, &graph), "cudaStreamEndCapture");
    cudaGraphDestroy(graph);
    CHECK(explains(o, error_code::invalid_argument, "arena", "maxima"));
}

TEST_CASE("runs on the caller's streams are in their order") {
    const stream first;
    const stream second;
    const weights<classifier> w = random_weights<classifier>();
    const array<f32> x = numbers<f32>({20, 64});
    const auto device_x = cuda::copy_to_device(x.view());
    const array<f32> wanted = host_executor<classifier>(w)(x);
    cuda::executor<classifier> one(w);
    cuda::executor<classifier> two(w);
    auto y = device_zeros({20, 10});
    auto z = device_zeros({20, 10});
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    for (int i = 0; i < 20; ++i) {
        one.into(first, y.mutable_view(), device_x.view());
        two.into(second, z.mutable_view(), device_x.view());
    }
    first.synchronize();
    second.synchronize();
    CHECK(same_bits(cuda::copy_to_host(y.view()), wanted));
    CHECK(same_bits(cuda::copy_to_host(z.view()), wanted));
}

TEST_CASE("an executor with a stream of its own") {
    const stream own;
    const weights<classifier> w = random_weights<classifier>();
    const array<f32> x = numbers<f32>({20, 64});
    cuda::executor_options options;
    options.stream = own;
    host_executor<classifier> run(w, options);
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    CHECK(same_bits(run(x), host_executor<classifier>(w)(x)));
}

TEST_CASE("a stream that is being captured takes plain launches") {
    const stream capturing;
    const weights<classifier> w = random_weights<classifier>();
    const array<f32> x = numbers<f32>({20, 64});
    auto device_x = cuda::copy_to_device(x.view());
    auto y = device_zeros({20, 10});
    cuda::executor<classifier> run(w);
    run.into(capturing, y.mutable_view(), device_x.view()); // the arena is large enough from now on
    capturing.synchronize();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cuda::check(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    run.into(capturing, y.mutable_view(), device_x.view());
    cuda::check(cudaStreamEndCapture(capturing, &graph), "cudaStreamEndCapture");
    cuda::check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    const array<f32> other = numbers<f32>({20, 64}, 9);
    cuda::check(cudaMemcpy(device_x.data(), other.data(), other.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    cuda::check(cudaGraphLaunch(executable, capturing), "cudaGraphLaunch");
    capturing.synchronize();
    CHECK(same_bits(cuda::copy_to_host(y.view()), host_executor<classifier>(w)(other)));
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

//=== hooks ===//

TEST_CASE("hooks see every launch, in order, with its name") {
    std::vector<std::string> events;
    cuda::executor_options options;
    options.use_graph = false;
    options.hooks.context = &events;
    options.hooks.enter = [](void* context, const launch_info& launch) {
        static_cast<std::vector<std::string>*>(context)->push_back(std::string("> ") + launch.kernel);
    };
    options.hooks.exit = [](void* context, const launch_info& launch) {
        static_cast<std::vector<std::string>*>(context)->push_back(std::string("< ") + launch.kernel);
    };
    host_executor<classifier> run(random_weights<classifier>(), options);
    run(numbers<f32>({5, 64}));
    using net = program<classifier, targets::sm_90>;
    const std::string first = kernel_name<net, 0>.text;
    const std::string second = kernel_name<net, 1>.text;
    CHECK(events == std::vector<std::string>{"> matmul", "< matmul", "> " + first, "< " + first, "> matmul", "< matmul",
                                             "> " + second, "< " + second});
}

//=== TF32 ===//

struct product {
    constexpr auto operator()(tensor<f32, 64, 64> x, tensor<f32, 64, 64> y) const { return matmul(x, y); }
};
TEST_CASE("f32 products keep every bit of their operands unless TF32 is asked for") {
    // 1 + 2^-20 needs 20 bits of fraction; TF32 has 10.
    array<f32> x({64, 64});
    array<f32> y({64, 64});
    for (int i = 0; i < 64; ++i) {
        x(i, i) = 1 + 0x1p-20F;
        y(i, i) = 1;
    }
    const array<f32> exact = host_executor<product>()(x, y);
    for (int i = 0; i < 64; ++i) CHECK(exact(i, i) == 1 + 0x1p-20F);
    cuda::executor_options options;
    options.tf32 = true;
    const array<f32> rough = host_executor<product>(weights<product>(), options)(x, y);
    for (int i = 0; i < 64; ++i) CHECK(rough(i, i) == doctest::Approx(1).epsilon(1e-3));
}

} // namespace
} // namespace toroid::tests
