// Tests of <toroid/backend/listing/kernel_text.hpp>, on bodies written by hand.

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <vector>

#include <toroid/backend/listing/kernel_text.hpp>

using namespace toroid;

namespace {

/// A body in growing tables; dims are numbered as they come.
struct body {
    std::vector<kernel_value> values;
    std::vector<kernel_access> accesses;
    std::vector<kernel_store> stores;
    std::vector<kernel_argument> arguments;
    std::vector<kernel_range> ranges;
    std::vector<dim> dims;
    int stages = 1;
    int lane_range = -1;

    int number(dim d) {
        dims.push_back(d);
        return static_cast<int>(dims.size()) - 1;
    }
    void range(dim extent, bool reduction = false) { ranges.push_back({number(extent), reduction}); }
    int access(int argument, dim offset, std::initializer_list<dim> strides) {
        kernel_access a;
        a.argument = argument;
        a.offset = number(offset);
        int r = 0;
        for (const dim& stride : strides) a.strides[r++] = number(stride);
        accesses.push_back(a);
        return static_cast<int>(accesses.size()) - 1;
    }
    kernel_value& add(value_kind kind, dtype type, int access = -1) {
        kernel_value v;
        v.kind = kind;
        v.type = type;
        v.access = access;
        values.push_back(v);
        return values.back();
    }
    kernel_value& compute(op code, dtype type, int a, int b = -1, value_kind kind = value_kind::compute) {
        kernel_value& v = add(kind, type);
        v.code = code;
        v.operands[0] = a;
        v.operands[1] = b;
        return v;
    }
    [[nodiscard]] std::string text(int indent = 0) const {
        std::string result;
        append_kernel(result,
                      {"kernel", values.data(), static_cast<int>(values.size()), accesses.data(), stores.data(),
                       static_cast<int>(stores.size()), arguments.data(), static_cast<int>(arguments.size()),
                       ranges.data(), static_cast<int>(ranges.size()), dims.data(), stages, lane_range},
                      indent);
        return result;
    }
};

/// A raw string without its first line break.
std::string golden(const char* text) { return text + 1; }

constexpr dim B = symbol('B');

} // namespace

TEST_CASE("kernel_text: no ranges, constants of several dtypes, an extent") {
    body k;
    k.arguments = {{i64, true}};
    k.add(value_kind::constant, i64).payload = -3;
    k.add(value_kind::extent, i64, k.number(8 * B));
    k.compute(op::add, i64, 0, 1);
    k.stores = {{2, k.access(0, 0, {})}};
    CHECK(k.text() == golden(R"(
def kernel(out arg0: i64):
    t0: i64 = -3
    t1: i64 = extent 8*B
    t2: i64 = add(t0, t1)
    store arg0[0] = t2
)"));
}

TEST_CASE("kernel_text: up to three ranges are x, y, z, the innermost in lanes") {
    body k;
    k.arguments = {{f32, false}, {f32, true}};
    k.range(B);
    k.range(4);
    k.range(16);
    k.lane_range = 2;
    k.add(value_kind::load, f32, k.access(0, 8, {64, -16, 1}));
    k.compute(op::relu, f32, 0);
    k.stores = {{1, k.access(1, 0, {dim(16), 16 * B, dim(1)})}};
    CHECK(k.text(1) == golden(R"(
    def kernel(arg0: f32, out arg1: f32):
        for x in B, y in 4, z in 16 (lanes):
            t0: f32 = load arg0[64*x - 16*y + z + 8]
            t1: f32 = relu(t0)
            store arg1[16*x + 16*B*y + z] = t1
)"));
}

TEST_CASE("kernel_text: more than three ranges are numbered; a broadcast operand skips ranges") {
    body k;
    k.arguments = {{f32, false}, {f32, true}};
    for (int r = 0; r < 4; ++r) k.range(r + 2);
    k.add(value_kind::load, f32, k.access(0, 0, {0, 1, 0, 0}));
    k.stores = {{0, k.access(1, 0, {60, 20, 5, 1})}};
    CHECK(k.text() == golden(R"(
def kernel(arg0: f32, out arg1: f32):
    for x0_ in 2, x1_ in 3, x2_ in 4, x3_ in 5:
        t0: f32 = load arg0[x1_]
        store arg1[60*x0_ + 20*x1_ + 5*x2_ + x3_] = t0
)"));
}

TEST_CASE("kernel_text: an argument that is read and written, an index, a comparison and where") {
    body k;
    k.arguments = {{f32, true}};
    k.range(B);
    const int element = k.access(0, 0, {1});
    k.add(value_kind::load, f32, element);
    k.add(value_kind::index, i64, k.access(-1, 1, {2}));
    k.add(value_kind::extent, i64, k.number(B));
    k.compute(op::lt, boolean, 1, 2);
    k.compute(op::neg, f32, 0);
    k.compute(op::where, f32, 3, 0).operands[2] = 4;
    k.stores = {{5, element}};
    CHECK(k.text() == golden(R"(
def kernel(inout arg0: f32):
    for x in B:
        t0: f32 = load arg0[x]
        t1: i64 = index 2*x + 1
        t2: i64 = extent B
        t3: bool = lt(t1, t2)
        t4: f32 = neg(t0)
        t5: f32 = where(t3, t0, t4)
        store arg0[x] = t5
)"));
}

TEST_CASE("kernel_text: passes over the reduced ranges; values come again unless they are stashed") {
    body k;
    k.arguments = {{f32, false}, {f32, true}, {f32, true}};
    k.stages = 2;
    k.lane_range = 1;
    k.range(B);
    k.range(32, true);
    const int element = k.access(0, 0, {32, 1});
    const auto in_loop = [](kernel_value& v, unsigned passes) -> kernel_value& {
        v.in_reduction = true;
        v.passes = passes;
        return v;
    };
    in_loop(k.add(value_kind::load, f32, element), 3);
    in_loop(k.compute(op::neg, f32, 0), 3);
    in_loop(k.compute(op::exp, f32, 1), 3).stashed = true;
    k.compute(op::reduce_sum, f32, 2, -1, value_kind::reduce).stage = 1;
    kernel_value& half = k.compute(op::div, f32, 2, 3);
    in_loop(half, 2).stage = 1;
    in_loop(k.compute(op::add, f32, 4, 1), 2).stage = 1;
    k.stores = {{5, k.access(1, 0, {32, 1})}, {3, k.access(2, 0, {1, 0})}};
    CHECK(k.text() == golden(R"(
def kernel(arg0: f32, out arg1: f32, out arg2: f32):
    for x in B:
        for r0_ in 32 (lanes):  # pass 0
            t0: f32 = load arg0[32*x + r0_]
            t1: f32 = neg(t0)
            t2: f32 = stash exp(t1)
            t3: f32 = sum(t2) over r0_
        for r0_ in 32 (lanes):  # pass 1
            t0: f32 = load arg0[32*x + r0_]
            t1: f32 = neg(t0)
            t2: f32 = stashed t2
            t4: f32 = div(t2, t3)
            t5: f32 = add(t4, t1)
            store arg1[32*x + r0_] = t5
        store arg2[x] = t3
)"));
}

TEST_CASE("kernel_text: a value per row that is stored per element is stored in a loop") {
    body k;
    k.arguments = {{f32, false}, {f32, true}};
    k.stages = 2;
    k.range(B);
    k.range(4, true);
    kernel_value& load = k.add(value_kind::load, f32, k.access(0, 0, {4, 1}));
    load.in_reduction = true;
    load.passes = 1;
    k.compute(op::reduce_max, f32, 0, -1, value_kind::reduce).stage = 1;
    k.stores = {{1, k.access(1, 0, {4, 1})}};
    CHECK(k.text() == golden(R"(
def kernel(arg0: f32, out arg1: f32):
    for x in B:
        for r0_ in 4:  # pass 0
            t0: f32 = load arg0[4*x + r0_]
            t1: f32 = max(t0) over r0_
        for r0_ in 4:  # pass 1
            store arg1[4*x + r0_] = t1
)"));
}

TEST_CASE("kernel_text: arg reductions number the reduced elements; two reduced ranges") {
    body k;
    k.arguments = {{f32, false}, {i64, true}};
    k.stages = 2;
    k.range(8, true);
    k.range(16, true);
    kernel_value& load = k.add(value_kind::load, f32, k.access(0, 0, {16, 1}));
    load.in_reduction = true;
    load.passes = 1;
    kernel_value& largest = k.compute(op::reduce_argmax, i64, 0, -1, value_kind::reduce);
    largest.stage = 1;
    largest.access = k.access(-1, 0, {16, 1});
    k.stores = {{1, k.access(1, 0, {0, 0})}};
    CHECK(k.text() == golden(R"(
def kernel(arg0: f32, out arg1: i64):
    for r0_ in 8, r1_ in 16:  # pass 0
        t0: f32 = load arg0[16*r0_ + r1_]
        t1: i64 = argmax(t0) over r0_, r1_, numbered 16*r0_ + r1_
    store arg1[0] = t1
)"));
}
