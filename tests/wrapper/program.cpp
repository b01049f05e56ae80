// program: counts, bytes and offsets as constants, against sums done by hand.

#include <cstdint>

#include <doctest/doctest.h>

#include <toroid/wrapper/program.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

//=== the arena ===//

using net = program<classifier>;
static_assert(net::arena_bytes({{'B', 256}}) == 256 * (128 + 10) * 4,
              "both matmul results live at once; kernels work in place");
static_assert(net::arena_bytes({{'B', 1}}) == (128 * 4) + 64, "40 bytes are rounded up to the alignment");
static_assert(net::arena_bytes({{'B', 0}}) == 0);
static_assert(!net::wrapper.static_arena);

static_assert(program<softmax_rows>::arena_bytes({{'B', 1000}}) == 0, "one kernel needs no memory of its own");
static_assert(program<attention>::arena_bytes({{'B', 2}, {'S', 8}}) == 2 * 4 * 8 * 8 * 4, "the scores");
// Heads side by side: scores and the mixed heads; the copy into the result is no buffer.
static_assert(program<attention_heads>::arena_bytes({{'B', 2}, {'S', 8}}) == 2 * 4 * 8 * 8 * 4 + 2 * 4 * 8 * 16 * 4);

struct fixed_classifier {
    BOOST_HANA_DEFINE_STRUCT(fixed_classifier, (nn::linear<64, 128>, fc1), (nn::linear<128, 10>, fc2));
    constexpr auto operator()(tensor<f32, 256, 64> x) const { return softmax(fc2(relu(fc1(x)))); }
};
using fixed = program<fixed_classifier>;
static_assert(fixed::wrapper.static_arena && fixed::arena_bytes() == 256 * (128 + 10) * 4);

/// Offset of the intermediate buffer that holds the value of the `number`-th matmul.
template <class P> constexpr std::int64_t offset_of_matmul(int number, const symbol_values& symbols = {}) {
    return P::arena_offset(P::wrapper.extern_kernels[number].out, symbols);
}
static_assert(offset_of_matmul<fixed>(0) == 0, "the largest block comes first");
static_assert(offset_of_matmul<fixed>(1) == 256 * 128 * 4);
static_assert(offset_of_matmul<net>(0, {{'B', 3}}) == 0);
static_assert(offset_of_matmul<net>(1, {{'B', 3}}) == 3 * 128 * 4, "symbolic slots lie behind each other");
static_assert(net::arena_offset(net::wrapper.extern_kernels[0].lhs.buffer) == -1, "inputs are not in the arena");

//=== bytes moved ===//

static_assert(program<softmax_rows>::bytes_moved({{'B', 10}}) == 2 * 10 * 64 * 4, "read once, written once");
static_assert(program<argmax_rows>::bytes_moved({{'B', 10}}) == 10 * 64 * 4 + 10 * 8);
static_assert(program<transpose_add>::bytes_moved({{'B', 10}}) == 3 * 10 * 64 * 4);
constexpr std::int64_t classifier_bytes(std::int64_t b) {
    const std::int64_t first = b * 64 + 128 * 64 + b * 128; // x, weight, result
    const std::int64_t bias_and_relu = b * 128 + 128 + b * 128;
    const std::int64_t second = b * 128 + 10 * 128 + b * 10;
    const std::int64_t bias_and_softmax = b * 10 + 10 + b * 10;
    return 4 * (first + bias_and_relu + second + bias_and_softmax);
}
static_assert(net::bytes_moved({{'B', 256}}) == classifier_bytes(256));

//=== lines ===//

template <class P> constexpr int count_lines(line_kind kind) {
    int count = 0;
    for (int i = 0; i < P::wrapper.sizes.lines; ++i) count += P::wrapper.lines[i].kind == kind ? 1 : 0;
    return count;
}
static_assert(count_lines<net>(line_kind::constant) == 4, "two weights, two biases");
static_assert(count_lines<net>(line_kind::symbolic_call_arg) == 1);
static_assert(count_lines<net>(line_kind::guard) == 1 + 2 + 1 + 2 + 1, "the 64 of x, and every extent of a parameter");
static_assert(count_lines<net>(line_kind::kernel_definition) == 2 && count_lines<net>(line_kind::kernel_call) == 2);
static_assert(count_lines<net>(line_kind::extern_kernel) == 2 && count_lines<net>(line_kind::extern_kernel_alloc) == 0);
static_assert(count_lines<net>(line_kind::allocate) == 2 && count_lines<net>(line_kind::reuse) == 1);
static_assert(count_lines<net>(line_kind::free_if_not_reused) == 2, "what was written over in place is not freed");
static_assert(count_lines<net>(line_kind::multi_output) == 0 && count_lines<net>(line_kind::reinterpret) == 0);
static_assert(count_lines<net>(line_kind::null) == 0 && count_lines<net>(line_kind::free) == 0);
static_assert(count_lines<program<siblings>>(line_kind::multi_output) == 4);
static_assert(count_lines<program<attention>>(line_kind::comment) >= 1, "labels of users become comments");
static_assert(count_lines<program<twelve_blocks>>(line_kind::kernel_definition) == 4);
static_assert(count_lines<program<twelve_blocks>>(line_kind::kernel_call) == 25);

/// A definition stands before its first call, and is not repeated.
template <class P> constexpr bool defined_before_called() {
    bool defined[P::schedule.sizes.definitions + 1] = {};
    for (int i = 0; i < P::wrapper.sizes.lines; ++i) {
        const line_reference l = P::wrapper.lines[i];
        if (l.kind == line_kind::kernel_definition) {
            bool& known = defined[P::wrapper.kernel_definitions[l.index].definition];
            if (known) return false;
            known = true;
        }
        if (l.kind == line_kind::kernel_call && !defined[P::wrapper.kernel_calls[l.index].definition]) return false;
    }
    return true;
}
static_assert(defined_before_called<net>() && defined_before_called<program<twelve_blocks>>());

/// Lines are numbered per kind without gaps, so that each is reached by one reference.
template <class P> constexpr bool numbered_without_gaps() {
    int next[line_kind_count] = {};
    for (int i = 0; i < P::wrapper.sizes.lines; ++i) {
        const line_reference l = P::wrapper.lines[i];
        if (l.kind != line_kind::null && l.index != next[static_cast<int>(l.kind)]++) return false;
    }
    return true;
}
static_assert(numbered_without_gaps<net>() && numbered_without_gaps<program<twelve_blocks>>() &&
              numbered_without_gaps<program<attention_heads>>());

//=== facts of a program ===//

static_assert(net::input_count == 1 && net::parameter_count == 4 && net::output_count == 1);
static_assert(program<multi_output>::output_count == 3 && program<transpose_add>::input_count == 2);

struct bounded_symbols {
    constexpr auto operator()(tensor<f32, B, S> x) const {
        x.trace().check(B <= 64);
        x.trace().check(B + 1 <= 33);
        x.trace().check(1 <= S);
        return x + 1;
    }
};
static_assert(program<bounded_symbols>::symbol_maxima()['B'] == 32, "the tightest check counts");
static_assert(!program<bounded_symbols>::symbol_maxima().bound[symbol_values::slot('S')]);

//=== many bodies, and tables that are too small ===//

/// As many bodies as layers.
struct many_bodies {
    constexpr auto operator()(tensor<f32, 4, 4> x, tensor<f32, 4, 4> w) const {
        for (int i = 0; i < 50; ++i) {
            x = x * (i + 2) + 1;
            x = matmul(x, w);
        }
        return x;
    }
};
using many = program<many_bodies>;
static_assert(many::definition_count() == 50 && many::kernel_count() == 50);

// A schedule larger than the tables that are tried first leaves its sizes; in tables of those it is complete.
constexpr schedule_sizes narrow = {3, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000};
constexpr schedule_builder many_built() { return make_schedule(many::graph.view(), targets::cpu::facts); }
constexpr auto cut = detail::freeze_if_fits<narrow>(many_built());
static_assert(cut.sizes.definitions == 50 && cut.sizes.steps == 100 && cut.definitions[0].values.size() == 0);
constexpr auto whole = detail::freeze_as<cut.sizes>(many_built());
static_assert(whole.sizes.values == many::schedule.sizes.values && whole.definitions[49].hash != 0 &&
              whole.definitions[49].hash == many::schedule.definitions[49].hash);

TEST_CASE("a contract that fails names the program and both counts") {
    // kernel_count_is is what the compiler prints; here its value.
    CHECK(expect_kernel_count<net, 2>);
    CHECK(net::launch_count() == 4);
}

} // namespace
} // namespace toroid::tests
