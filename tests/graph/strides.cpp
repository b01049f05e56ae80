// Views as strides: each chain of views addresses the element that following the chain step by step finds.

#include <toroid/graph/strides.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

#include "sketch.hpp"

using namespace toroid;
using test_graph::sketch;

namespace {

constexpr dim N = symbol('N');
constexpr dim M = symbol('M');

/// True when the last node has this base, offset and these strides.
constexpr bool lies(const sketch& s, int base, dim offset, std::initializer_list<dim> strides) {
    const strided_view v = resolve_strides(s.view(), s.g.nodes.size() - 1);
    if (!v.valid || v.base != base || !(v.offset == offset)) return false;
    int a = 0;
    for (const dim& stride : strides)
        if (!(v.strides[a++] == stride)) return false;
    return a == s.g.extents_of(s.g.nodes.size() - 1).rank;
}
constexpr bool has_no_strides(const sketch& s) { return !resolve_strides(s.view(), s.g.nodes.size() - 1).valid; }

constexpr sketch input(std::initializer_list<dim> extents) {
    sketch s(extents);
    s.input();
    return s;
}
/// Adds a view of the last node.
constexpr sketch then(sketch s, std::initializer_list<dim> extents, op code, std::int64_t payload = 0, dim start = 0) {
    const int x = s.g.nodes.size() - 1;
    s.at(extents).add(code, f32, x, -1, -1, payload);
    s.g.nodes[x + 1].start = s.g.intern(start);
    return s;
}

//=== one view at a time ===//

static_assert(lies(input({2, 3, 4}), 0, 0, {12, 4, 1}) && lies(input({}), 0, 0, {}) &&
              lies(input({N, M, 4}), 0, 0, {4 * M, 4, 1}));
static_assert(lies(then(input({2, 3, 4}), {4, 2, 3}, op::permute, 0x102), 0, 0, {1, 12, 4}));
static_assert(lies(then(input({3, 1}), {2, 3, 4}, op::expand), 0, 0, {0, 1, 0}));
static_assert(lies(then(input({3, 4}), {3, 2}, op::slice, slice_payload(1, 2), 1), 0, 1, {4, 2}));
static_assert(lies(then(input({3, 4}), {3, 4}, op::slice, slice_payload(0, -1), 2), 0, 8, {-4, 1})); // reversed
static_assert(lies(then(input({N, 4}), {N - 2, 4}, op::slice, slice_payload(0, 1), 2), 0, 8, {4, 1}));
static_assert(lies(then(input({N, 4}), {3, 4}, op::slice, slice_payload(0, 1), N - 3), 0, 4 * N - 12, {4, 1}));

//=== reshapes of contiguous storage always have strides ===//

static_assert(lies(then(input({2, 3, 4}), {24}, op::reshape), 0, 0, {1}) &&
              lies(then(input({24}), {2, 3, 4}, op::reshape), 0, 0, {12, 4, 1}));
static_assert(lies(then(input({N, 4, M}), {N, 4 * M}, op::reshape), 0, 0, {4 * M, 1}));
static_assert(lies(then(input({8 * N}), {N, 8}, op::reshape), 0, 0, {8, 1}) &&
              lies(then(input({N, 8}), {8 * N}, op::reshape), 0, 0, {1}));
static_assert(!has_no_strides(then(input({2, 3}), {1, 2, 1, 3, 1}, op::reshape)));
static_assert(!has_no_strides(then(input({1, 1}), {}, op::reshape)) &&
              !has_no_strides(then(input({}), {1, 1}, op::reshape)));

//=== reshapes of views: only runs that stay contiguous ===//

constexpr sketch transposed() { return then(input({3, 4}), {4, 3}, op::permute, 0x01); }
static_assert(has_no_strides(then(transposed(), {12}, op::reshape)));
static_assert(lies(then(transposed(), {2, 2, 3}, op::reshape), 0, 0, {2, 1, 4})); // an axis may split
static_assert(has_no_strides(then(transposed(), {2, 6}, op::reshape)));
constexpr sketch heads() { return then(input({2, 5, 3, 4}), {2, 3, 5, 4}, op::permute, 0x3120); }
static_assert(lies(heads(), 0, 0, {60, 4, 12, 1}) && has_no_strides(then(heads(), {2, 3, 20}, op::reshape)) &&
              has_no_strides(then(heads(), {2, 15, 4}, op::reshape)));
constexpr sketch columns() { return then(input({3, 4}), {3, 2}, op::slice, slice_payload(1, 1), 1); }
static_assert(has_no_strides(then(columns(), {6}, op::reshape)));
constexpr sketch rows() { return then(input({3, 4}), {2, 4}, op::slice, slice_payload(0, 1), 1); }
static_assert(lies(then(rows(), {8}, op::reshape), 0, 4, {1}) && lies(then(rows(), {4, 2}, op::reshape), 0, 4, {2, 1}));
constexpr sketch every_second() { return then(input({3, 4}), {3, 2}, op::slice, slice_payload(1, 2), 0); }
static_assert(lies(then(every_second(), {6}, op::reshape), 0, 0, {2})); // 0, 2, 4, 6, 8, 10
constexpr sketch backwards() { return then(input({6}), {6}, op::slice, slice_payload(0, -1), 5); }
static_assert(lies(then(backwards(), {2, 3}, op::reshape), 0, 5, {-3, -1}));

// A broadcast axis joins its neighbour only if that one is broadcast, too.
constexpr sketch repeated() { return then(input({3}), {2, 3}, op::expand); }
static_assert(has_no_strides(then(repeated(), {6}, op::reshape)) &&
              lies(then(repeated(), {2, 1, 3}, op::reshape), 0, 0, {0, 0, 1}));
static_assert(lies(then(then(input({1, 1}), {2, 3}, op::expand), {6}, op::reshape), 0, 0, {0}));

// Unknown extents do not join unless their products are equal as forms.
static_assert(has_no_strides(then(then(input({N, M}), {M, N}, op::permute, 0x01), {N * M}, op::reshape)));

//=== bases ===//

constexpr bool finds_bases() {
    const sketch s = then(then(input({3, 4}), {12}, op::reshape), {2, 6}, op::reshape);
    return base_of(s.view(), 2) == 0 && is_reshape_chain(s.view(), 2) && is_reshape_chain(s.view(), 0) &&
           !is_reshape_chain(transposed().view(), 1) && base_of(transposed().view(), 1) == 0;
}
static_assert(finds_bases());

/// Number in the storage of node 0 of the element `index` of node `n`, by following the chain one view at a time.
std::int64_t element(const graph_view& g, int n, const std::int64_t (&index)[max_rank]) {
    const node& v = g.nodes[n];
    if (!is_view(v.code)) {
        std::int64_t linear = 0;
        for (int a = 0; a < g.rank_of(n); ++a) linear = linear * g.extent(n, a).k + index[a];
        return linear;
    }
    const int x = v.operands[0];
    std::int64_t source[max_rank] = {};
    if (v.code == op::permute) {
        for (int a = 0; a < g.rank_of(n); ++a) source[permutation_axis(v.payload, a)] = index[a];
    } else if (v.code == op::expand) {
        const int shift = g.rank_of(n) - g.rank_of(x);
        for (int a = 0; a < g.rank_of(x); ++a) source[a] = g.extent(x, a).k == 1 ? 0 : index[a + shift];
    } else if (v.code == op::slice) {
        for (int a = 0; a < g.rank_of(n); ++a) source[a] = index[a];
        source[slice_axis(v.payload)] = g.dims[v.start].k + index[slice_axis(v.payload)] * slice_step(v.payload);
    } else {
        std::int64_t linear = 0;
        for (int a = 0; a < g.rank_of(n); ++a) linear = linear * g.extent(n, a).k + index[a];
        for (int a = g.rank_of(x) - 1; a >= 0; --a) {
            source[a] = linear % g.extent(x, a).k;
            linear /= g.extent(x, a).k;
        }
    }
    return element(g, x, source);
}

} // namespace

TEST_CASE("random chains of views address the elements that the single views do") {
    std::mt19937 random(3);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int resolved = 0;
    int wrong = 0;
    for (int round = 0; round < 4000; ++round) {
        sketch s;
        shape extents;
        extents.rank = 1 + below(3);
        for (int a = 0; a < extents.rank; ++a) extents.extents[a] = dim(1 + below(6));
        const auto apply = [&](op code, std::int64_t payload, dim start) {
            s.shape = s.g.intern(extents);
            const int x = s.g.nodes.size() - 1;
            s.add(code, f32, x, -1, -1, payload);
            s.g.nodes[x + 1].start = s.g.intern(start);
        };
        apply(op::input, 0, 0);
        for (int step = 0; step < 4; ++step) {
            const int axis = below(extents.rank);
            switch (below(4)) {
            case 0: {
                const int other = below(extents.rank);
                std::int64_t payload = 0;
                const shape old = extents;
                for (int a = 0; a < extents.rank; ++a) {
                    const int source = a == axis ? other : a == other ? axis : a;
                    payload |= std::int64_t{source} << (4 * a);
                    extents.extents[a] = old.extents[source];
                }
                apply(op::permute, payload, 0);
                break;
            }
            case 1:
                if (extents.extents[axis].k == 1) extents.extents[axis] = dim(1 + below(3));
                apply(op::expand, 0, 0);
                break;
            case 2: {
                const int n = static_cast<int>(extents.extents[axis].k);
                const int start = below(n);
                const bool back = below(2) != 0;
                const int stride = 1 + below(2);
                extents.extents[axis] = dim(1 + (back ? start : n - 1 - start) / stride);
                apply(op::slice, slice_payload(axis, back ? -stride : stride), start);
                break;
            }
            default: { // move a factor from one axis to a new one, or join all
                const int n = static_cast<int>(extents.extents[axis].k);
                if (below(2) != 0 || extents.rank > 5) {
                    const dim numel = extents.numel();
                    extents = {1, {numel}};
                } else {
                    const int factor = n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 1;
                    for (int a = extents.rank; a > axis; --a) extents.extents[a] = extents.extents[a - 1];
                    extents.extents[axis] = dim(factor);
                    extents.extents[axis + 1] = dim(n / factor);
                    ++extents.rank;
                }
                apply(op::reshape, 0, 0);
            }
            }
        }
        const int last = s.g.nodes.size() - 1;
        const strided_view v = resolve_strides(s.view(), last);
        if (!v.valid) continue;
        ++resolved;
        const std::int64_t numel = extents.numel().k;
        for (std::int64_t i = 0; i < numel; ++i) {
            std::int64_t index[max_rank] = {};
            std::int64_t rest = i;
            std::int64_t address = v.offset.k;
            for (int a = extents.rank - 1; a >= 0; --a) {
                index[a] = rest % extents.extents[a].k;
                rest /= extents.extents[a].k;
                address += index[a] * v.strides[a].k;
            }
            wrong += address != element(s.view(), last, index);
        }
    }
    CHECK(wrong == 0);
    CHECK(resolved > 2000);
}

TEST_CASE("any reshape of contiguous storage has strides, whether or not one extent divides the other") {
    CHECK(lies(then(input({4, 6}), {2, 3, 4}, op::reshape), 0, 0, {12, 4, 1}));
    CHECK(lies(then(input({6, 4}), {8, 3}, op::reshape), 0, 0, {3, 1}));
    CHECK(lies(then(input({N, 4, 6}), {N, 3, 8}, op::reshape), 0, 0, {24, 8, 1}));
    CHECK(lies(then(input({N, M}), {M, N}, op::reshape), 0, 0, {N, 1}));
    CHECK(lies(then(rows(), {4, 2}, op::reshape), 0, 4, {2, 1}));
}

TEST_CASE("a chain longer than the resolver follows is not resolved, and still has its base") {
    sketch s = input({40});
    for (int i = 1; i <= 20; ++i) s = then(s, {40 - i}, op::slice, slice_payload(0, 1), 1);
    const strided_view v = resolve_strides(s.view(), 20);
    CHECK((v.valid ? v.offset == dim(20) && v.base == 0 : v.base == base_of(s.view(), 20)));
}
