// Tests of <toroid/backend/listing/listing.hpp>: the text of whole programs, and that it is made of lines alone.

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <type_traits>

#include <toroid/backend/listing/listing.hpp>
#include <toroid/nn/linear.hpp>
#include <toroid/nn/normalization.hpp>
#include <toroid/wrapper/program.hpp>

using namespace toroid;

namespace {

constexpr auto B = symbol('B');

/// A raw string without its first line break.
std::string golden(const char* text) { return text + 1; }

//=== programs ===//

struct classifier {
    BOOST_HANA_DEFINE_STRUCT(classifier, (nn::linear<64, 128>, fc1), (nn::linear<128, 10>, fc2));
    constexpr auto operator()(tensor<f32, B, 64> x) const { return fc2(named(relu(fc1(x)), "hidden")); }
};

struct normalized {
    constexpr auto operator()(tensor<f32, B, 256> x) const { return layer_norm(x); }
};

struct siblings {
    constexpr auto operator()(tensor<f32, B, 64> x) const { return std::tuple{relu(x), tanh(x)}; }
};

struct transposed_sum {
    constexpr auto operator()(tensor<f32, 64, B> x, tensor<f32, B, 64> y) const { return transpose(x) + y; }
};

struct concatenated {
    constexpr auto operator()(tensor<f32, B, 16> x, tensor<f32, B, 8> y) const {
        const auto left = relu(x);
        return concat<1>(left, tanh(y));
    }
};

struct guarded {
    constexpr auto operator()(tensor<f32, 8 * B + 1, 64> x) const {
        x.trace().check(B <= 1024);
        x.trace().expect_true(multiple_of(B, 4));
        return 2 * x;
    }
};

struct static_chain {
    constexpr auto operator()(tensor<f32, 16, 64> x, tensor<f32, 64, 32> w, tensor<f32, 32, 64> v) const {
        const auto h = relu(matmul(x, w));
        const auto y = matmul(h, v);
        return matmul(matmul(y, w) * h, v) + y;
    }
};

struct reshaped_product {
    constexpr auto operator()(tensor<f32, 16, 64> x, tensor<f32, 64, 32> w) const {
        return reshape<2, 8, 32>(matmul(x, w));
    }
};

struct windows {
    constexpr auto operator()(tensor<f32, B, 32, 4, 16> x, tensor<f32, 16, 64> w) const {
        return matmul(permute<0, 2, 1, 3>(x), slice<1, 8, 24>(w));
    }
};

/// Extern kernels of this target allocate their results.
struct allocating {
    static constexpr target_facts facts{.extern_allocates = true};
};

//=== a backend consumes every kind of line ===//

static_assert(wrapper_backend<listing_backend, program<classifier>>);
static_assert(wrapper_backend<listing_backend, program<siblings, allocating>>);
static_assert(check_wrapper_backend<listing_backend, program<classifier>>());

template <line_kind Missing> struct all_but {
    template <class P, line_kind Kind, int I>
        requires(Kind != Missing)
    void emit(program_line<P, Kind, I>) {}
};
static_assert(!wrapper_backend<all_but<line_kind::guard>, program<siblings>>);
static_assert(!wrapper_backend<all_but<line_kind::null>, program<siblings>>);
static_assert(!wrapper_backend<all_but<line_kind::comment>, program<siblings>>);

//=== lines alone: a program that offers nothing else has a listing ===//

/// Lines, their tables and kernel bodies of a program; no graph, no schedule.
template <class P> struct lines_of {
    struct body_tables {
        decltype(&P::tables.values[0]) values = P::tables.values;
        decltype(&P::tables.accesses[0]) accesses = P::tables.accesses;
        decltype(&P::tables.stores[0]) stores = P::tables.stores;
        decltype(&P::tables.arguments[0]) arguments = P::tables.arguments;
        decltype(&P::tables.ranges[0]) ranges = P::tables.ranges;
        decltype(&P::tables.dims[0]) dims = P::tables.dims;
    };
    static constexpr const auto& wrapper = P::wrapper;
    static constexpr body_tables tables{};
    static constexpr const kernel_definition* definitions = P::definitions;
    static constexpr const label* labels = P::labels;
};

template <class P>
concept has_earlier_stages = requires { P::graph; } || requires { P::traced; } || requires { P::schedule; };
static_assert(has_earlier_stages<program<classifier>>);
static_assert(!has_earlier_stages<lines_of<program<classifier>>>);
static_assert(wrapper_backend<listing_backend, lines_of<program<classifier>>>);

//=== lines hold no text: every field of every line is a number, a dim, or a struct of them ===//

template <class Field>
constexpr bool is_text =
    std::is_pointer_v<Field> || !std::is_trivially_copyable_v<Field> || std::is_same_v<Field, label> ||
    (std::is_array_v<Field> && std::is_same_v<std::remove_all_extents_t<Field>, char>);
static_assert(is_text<char[8]> && is_text<const char*> && is_text<std::string> && is_text<label> && !is_text<dim[8]>);

template <class... Field> constexpr bool are_numbers(const Field&...) { return (!is_text<Field> && ...); }

// A structured binding names every field, so that a new one has to be counted here.
constexpr bool no_text(constant_line l) {
    const auto& [a] = l;
    return are_numbers(a);
}
constexpr bool no_text(symbolic_call_arg_line l) {
    const auto& [a, b, c, d, e] = l;
    return are_numbers(a, b, c, d, e);
}
constexpr bool no_text(guard_line l) {
    const auto& [a, b, c, d, e, f] = l;
    return are_numbers(a, b, c, d, e, f);
}
constexpr bool no_text(kernel_definition_line l) {
    const auto& [a] = l;
    return are_numbers(a);
}
constexpr bool no_text(table_rows l) {
    const auto& [a, b] = l;
    return are_numbers(a, b);
}
constexpr bool no_text(kernel_call_line l) {
    const auto& [a, b, c] = l;
    return are_numbers(a, b, c) && no_text(b);
}
constexpr bool no_text(buffer_window l) {
    const auto& [a, b, c, d, e] = l;
    return are_numbers(a, b, c, d, e);
}
constexpr bool no_text(extern_kernel_line l) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = l;
    return are_numbers(a, b, c, d, e, f, g, h, i, j) && no_text(g) && no_text(h);
}
constexpr bool no_text(extern_kernel_alloc_line l) {
    const auto& [a] = l;
    return no_text(a);
}
constexpr bool no_text(multi_output_line l) {
    const auto& [a, b, c] = l;
    return are_numbers(a, b, c);
}
constexpr bool no_text(allocate_line l) {
    const auto& [a] = l;
    return are_numbers(a);
}
constexpr bool no_text(free_if_not_reused_line l) {
    const auto& [a, b] = l;
    return are_numbers(a, b);
}
constexpr bool no_text(reuse_line l) {
    const auto& [a, b, c] = l;
    return are_numbers(a, b, c);
}
constexpr bool no_text(null_line) { return std::is_empty_v<null_line>; }
constexpr bool no_text(reinterpret_line l) {
    const auto& [a, b] = l;
    return are_numbers(a, b);
}
constexpr bool no_text(free_line l) {
    const auto& [a] = l;
    return are_numbers(a);
}
constexpr bool no_text(comment_line l) {
    const auto& [a] = l;
    return are_numbers(a);
}

template <int... Kind> constexpr bool no_line_has_text(std::integer_sequence<int, Kind...>) {
    return (no_text(program_line<program<siblings>, static_cast<line_kind>(Kind), 0>::value) && ...);
}
static_assert(no_line_has_text(std::make_integer_sequence<int, line_kind_count>{}));

} // namespace

//=== golden texts ===//

TEST_CASE("listing: a classifier with extern kernels, in-place reuse and a name of the user's") {
    const std::string expected = golden(R"(
program(input0: f32[B, 64]) -> (output: f32[B, 10]):
    arena 512*B + 40*B bytes in 2 slots
    fc1.weight: f32[128, 64]  # parameter 0
    fc1.bias: f32[128]  # parameter 1
    fc2.weight: f32[10, 128]  # parameter 2
    fc2.bias: f32[10]  # parameter 3
    B = input0.extent(0)
    guard fc1.weight.extent(0) == 128
    guard fc1.weight.extent(1) == 64
    guard fc1.bias.extent(0) == 128
    guard fc2.weight.extent(0) == 10
    guard fc2.weight.extent(1) == 128
    guard fc2.bias.extent(0) == 10
    guard input0.extent(1) == 64
    buf0 = allocate f32[B, 128]  # block 0 in slot 0
    extern matmul(input0, fc1.weight^T, out buf0)  # launch 0, f32, m=B, n=128, k=64
    def fused_add_relu_0(arg0: f32, arg1: f32, out arg2: f32):
        for x in B, y in 128 (lanes):
            t0: f32 = load arg0[128*x + y]
            t1: f32 = load arg1[y]
            t2: f32 = add(t0, t1)
            t3: f32 = relu(t2)
            store arg2[128*x + y] = t3
    buf1 = reuse buf0 as f32[B, 128]  # block 0 in slot 0, in place
    # hidden
    call fused_add_relu_0(buf0, fc1.bias, out buf1)  # launch 1
    buf2 = allocate f32[B, 10]  # block 1 in slot 1
    extern matmul(buf1, fc2.weight^T, out buf2)  # launch 2, f32, m=B, n=10, k=128
    free buf1
    def fused_add_1(arg0: f32, arg1: f32, out arg2: f32):
        for x in B, y in 10 (lanes):
            t0: f32 = load arg0[10*x + y]
            t1: f32 = load arg1[y]
            t2: f32 = add(t0, t1)
            store arg2[10*x + y] = t2
    call fused_add_1(buf2, fc2.bias, out output)  # launch 3
    free buf2
)");
    CHECK(listing<program<classifier>>() == expected);
    CHECK(listing<lines_of<program<classifier>>>() == expected);
}

TEST_CASE("listing: layer_norm is one kernel of three passes") {
    CHECK(listing<program<normalized>>() == golden(R"(
program(input0: f32[B, 256]) -> (output: f32[B, 256]):
    arena 0 bytes
    B = input0.extent(0)
    guard input0.extent(1) == 256
    def fused_sum_div_sub_mul_etc_0(arg0: f32, out arg1: f32):
        for x in B:
            t2: f32 = 256
            t8: f32 = 1e-05
            for r0_ in 256 (lanes):  # pass 0
                t0: f32 = load arg0[256*x + r0_]
                t1: f32 = sum(t0) over r0_
            t3: f32 = div(t1, t2)
            for r0_ in 256 (lanes):  # pass 1
                t0: f32 = load arg0[256*x + r0_]
                t4: f32 = sub(t0, t3)
                t5: f32 = mul(t4, t4)
                t6: f32 = sum(t5) over r0_
            t7: f32 = div(t6, t2)
            t9: f32 = add(t7, t8)
            t10: f32 = rsqrt(t9)
            for r0_ in 256 (lanes):  # pass 2
                t0: f32 = load arg0[256*x + r0_]
                t4: f32 = sub(t0, t3)
                t11: f32 = mul(t4, t10)
                store arg1[256*x + r0_] = t11
    call fused_sum_div_sub_mul_etc_0(input0, out output)  # launch 0
)"));
}

TEST_CASE("listing: siblings are one launch with several results") {
    CHECK(listing<program<siblings>>() == golden(R"(
program(input0: f32[B, 64]) -> (output0: f32[B, 64], output1: f32[B, 64]):
    arena 0 bytes
    B = input0.extent(0)
    guard input0.extent(1) == 64
    def fused_relu_tanh_0(arg0: f32, out arg1: f32, out arg2: f32):
        for x in 64*B (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = relu(t0)
            t2: f32 = tanh(t0)
            store arg1[x] = t1
            store arg2[x] = t2
    call fused_relu_tanh_0(input0, out output0, out output1)  # launch 0
    output0 = result 0 of launch 0
    output1 = result 1 of launch 0
)"));
}

TEST_CASE("listing: a transpose is an index, not a copy") {
    CHECK(listing<program<transposed_sum>>() == golden(R"(
program(input0: f32[64, B], input1: f32[B, 64]) -> (output: f32[B, 64]):
    arena 0 bytes
    B = input0.extent(1)
    guard input0.extent(0) == 64
    guard input1.extent(0) == B
    guard input1.extent(1) == 64
    def fused_add_0(arg0: f32, arg1: f32, out arg2: f32):
        for x in B, y in 64 (lanes):
            t0: f32 = load arg0[x + B*y]
            t1: f32 = load arg1[64*x + y]
            t2: f32 = add(t0, t1)
            store arg2[64*x + y] = t2
    call fused_add_0(input0, input1, out output)  # launch 0
)"));
}

TEST_CASE("listing: parts of a concat are written into its buffer") {
    CHECK(listing<program<concatenated>>() == golden(R"(
program(input0: f32[B, 16], input1: f32[B, 8]) -> (output: f32[B, 24]):
    arena 0 bytes
    B = input0.extent(0)
    guard input0.extent(1) == 16
    guard input1.extent(0) == B
    guard input1.extent(1) == 8
    def fused_relu_0(arg0: f32, out arg1: f32):
        for x in B, y in 16 (lanes):
            t0: f32 = load arg0[16*x + y]
            t1: f32 = relu(t0)
            store arg1[24*x + y] = t1
    call fused_relu_0(input0, out output)  # launch 0
    def fused_tanh_1(arg0: f32, out arg1: f32):
        for x in B, y in 8 (lanes):
            t0: f32 = load arg0[8*x + y]
            t1: f32 = tanh(t0)
            store arg1[24*x + y + 16] = t1
    call fused_tanh_1(input1, out output)  # launch 1
)"));
}

TEST_CASE("listing: symbols are solved, checks are guards") {
    CHECK(listing<program<guarded>>() == golden(R"(
program(input0: f32[8*B + 1, 64]) -> (output: f32[8*B + 1, 64]):
    arena 0 bytes
    B = (input0.extent(0) - 1)/8  # exact
    guard input0.extent(1) == 64
    guard B <= 1024
    guard B % 4 == 0  # assumed
    def fused_mul_0(arg0: f32, out arg1: f32):
        for x in 512*B + 64 (lanes):
            t0: f32 = 2
            t1: f32 = load arg0[x]
            t2: f32 = mul(t0, t1)
            store arg1[x] = t2
    call fused_mul_0(input0, out output)  # launch 0
)"));
}

TEST_CASE("listing: constant sizes have constant offsets in the arena") {
    CHECK(listing<program<static_chain>>() == golden(R"(
program(input0: f32[16, 64], input1: f32[64, 32], input2: f32[32, 64]) -> (output: f32[16, 64]):
    arena 10240 bytes
    guard input0.extent(0) == 16
    guard input0.extent(1) == 64
    guard input1.extent(0) == 64
    guard input1.extent(1) == 32
    guard input2.extent(0) == 32
    guard input2.extent(1) == 64
    buf0 = allocate f32[16, 32]  # block 0 at 4096
    extern matmul(input0, input1, out buf0)  # launch 0, f32, m=16, n=32, k=64
    def fused_relu_0(arg0: f32, out arg1: f32):
        for x in 512 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = relu(t0)
            store arg1[x] = t1
    buf1 = reuse buf0 as f32[16, 32]  # block 0 at 4096, in place
    call fused_relu_0(buf0, out buf1)  # launch 1
    buf2 = allocate f32[16, 64]  # block 1 at 0
    extern matmul(buf1, input2, out buf2)  # launch 2, f32, m=16, n=64, k=32
    buf3 = allocate f32[16, 32]  # block 2 at 8192
    extern matmul(buf2, input1, out buf3)  # launch 3, f32, m=16, n=32, k=64
    def fused_mul_1(arg0: f32, arg1: f32, out arg2: f32):
        for x in 512 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = load arg1[x]
            t2: f32 = mul(t0, t1)
            store arg2[x] = t2
    buf4 = reuse buf3 as f32[16, 32]  # block 2 at 8192, in place
    call fused_mul_1(buf3, buf1, out buf4)  # launch 4
    free buf1
    buf5 = allocate f32[16, 64]  # block 3 at 4096
    extern matmul(buf4, input2, out buf5)  # launch 5, f32, m=16, n=64, k=32
    free buf4
    def fused_add_2(arg0: f32, arg1: f32, out arg2: f32):
        for x in 1024 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = load arg1[x]
            t2: f32 = add(t0, t1)
            store arg2[x] = t2
    call fused_add_2(buf5, buf2, out output)  # launch 6
    free buf5
    free buf2
)"));
}

TEST_CASE("listing: a reshaped result is its base under other extents") {
    CHECK(listing<program<reshaped_product>>() == golden(R"(
program(input0: f32[16, 64], input1: f32[64, 32]) -> (output: f32[2, 8, 32]):
    arena 0 bytes
    guard input0.extent(0) == 16
    guard input0.extent(1) == 64
    guard input1.extent(0) == 64
    guard input1.extent(1) == 32
    extern matmul(input0, input1, out output.base)  # launch 0, f32, m=16, n=32, k=64
    output = reinterpret output.base as f32[2, 8, 32]
)"));
}

TEST_CASE("listing: a matmul reads windows by offset and strides") {
    CHECK(listing<program<windows>>() == golden(R"(
program(input0: f32[B, 32, 4, 16], input1: f32[16, 64]) -> (output: f32[B, 4, 32, 16]):
    arena 0 bytes
    B = input0.extent(0)
    guard input0.extent(1) == 32
    guard input0.extent(2) == 4
    guard input0.extent(3) == 16
    guard input1.extent(0) == 16
    guard input1.extent(1) == 64
    extern matmul(input0 strides [2048, 16, 64, 1], input1 at 8 strides [0, 0, 64, 1], out output)  # launch 0, f32, batch [B, 4], m=32, n=16, k=16
)"));
}

TEST_CASE("listing: extern kernels that allocate their results, and the frees of these") {
    CHECK(listing<program<static_chain, allocating>>() == golden(R"(
program(input0: f32[16, 64], input1: f32[64, 32], input2: f32[32, 64]) -> (output: f32[16, 64]):
    arena 2048 bytes
    guard input0.extent(0) == 16
    guard input0.extent(1) == 64
    guard input1.extent(0) == 64
    guard input1.extent(1) == 32
    guard input2.extent(0) == 32
    guard input2.extent(1) == 64
    buf0 = extern matmul(input0, input1)  # launch 0, f32, m=16, n=32, k=64, allocated by the callee
    def fused_relu_0(arg0: f32, out arg1: f32):
        for x in 512 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = relu(t0)
            store arg1[x] = t1
    buf1 = allocate f32[16, 32]  # block 0 at 0
    call fused_relu_0(buf0, out buf1)  # launch 1
    free buf0  # allocated by the callee
    buf2 = extern matmul(buf1, input2)  # launch 2, f32, m=16, n=64, k=32, allocated by the callee
    buf3 = extern matmul(buf2, input1)  # launch 3, f32, m=16, n=32, k=64, allocated by the callee
    def fused_mul_1(arg0: f32, arg1: f32, out arg2: f32):
        for x in 512 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = load arg1[x]
            t2: f32 = mul(t0, t1)
            store arg2[x] = t2
    buf4 = reuse buf1 as f32[16, 32]  # block 0 at 0, in place
    call fused_mul_1(buf3, buf1, out buf4)  # launch 4
    free buf3  # allocated by the callee
    buf5 = extern matmul(buf4, input2)  # launch 5, f32, m=16, n=64, k=32, allocated by the callee
    free buf4
    def fused_add_2(arg0: f32, arg1: f32, out arg2: f32):
        for x in 1024 (lanes):
            t0: f32 = load arg0[x]
            t1: f32 = load arg1[x]
            t2: f32 = add(t0, t1)
            store arg2[x] = t2
    call fused_add_2(buf5, buf2, out output)  # launch 6
    free buf5  # allocated by the callee
    free buf2  # allocated by the callee
)"));
}

TEST_CASE("listing: lines that no lowering emits today have a text, too") {
    listing_backend backend(line_tables_of<program<siblings>>());
    backend.emit(program_line<program<siblings>, line_kind::null, 0>{});
    CHECK(backend.text() == "null\n");
}
