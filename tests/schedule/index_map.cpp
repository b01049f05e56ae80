// Index maps: affine functions of loop ranges, carried through views and checked element by element.

#include <cstdint>

#include <doctest/doctest.h>

#include <toroid/expr/expr.hpp>
#include <toroid/schedule/index_map.hpp>

namespace toroid::tests {
namespace {

//=== affine ===//

constexpr affine with(int range, int coefficient) {
    affine a;
    a.set(range, coefficient);
    return a;
}
static_assert(affine{}.is_still() && !with(7, 1).is_still());
static_assert(with(5, 0xffff)[5] == 0xffff && with(5, 0xffff)[4] == 0 && with(5, 0xffff)[6] == 0, "16 bits each");
constexpr affine overwritten() {
    affine a = with(3, 9);
    a.set(3, 2);
    return a;
}
static_assert(overwritten() == with(3, 2));

//=== domains ===//

constexpr loop_domain two_ranges() {
    loop_domain d;
    d.add(10, false);
    d.add(20, true);
    return d;
}
constexpr loop_domain split_first() {
    loop_domain d = two_ranges();
    d.split(0, 2, 5);
    return d;
}
static_assert(!loop_domain{}.has_reduction() && two_ranges().has_reduction());
static_assert(split_first().count == 3 && split_first().extents[0] == 2 && split_first().extents[2] == 5);
static_assert(split_first().order[0] == 0 && split_first().order[1] == 2 && split_first().order[2] == 1,
              "outer, inner, then the rest");
static_assert(!split_first().reduction[2], "both parts of an x range are x ranges");
constexpr int ninth_range() {
    loop_domain d;
    for (int i = 0; i < max_ranges; ++i) d.add(2, false);
    return d.add(2, false);
}
static_assert(ninth_range() == -1);

//=== through views ===//

/// One view of a [4, 6] tensor.
template <class View> struct viewed {
    constexpr auto operator()(tensor<f32, 4, 6> x) const { return View::of(x); }
};
struct transposed {
    static constexpr auto of(expression auto x) { return transpose(x); }
};
struct every_third {
    static constexpr auto of(expression auto x) { return slice<1, 1, 6, 3>(x); }
};
struct backwards {
    static constexpr auto of(expression auto x) { return flip<0>(x); }
};
struct widened {
    static constexpr auto of(expression auto x) { return expand<3, 4, 6>(x); }
};
struct regrouped {
    static constexpr auto of(expression auto x) { return reshape<2, 2, 6>(x); }
};
struct flattened {
    static constexpr auto of(expression auto x) { return reshape<24>(x); }
};
struct unsqueezed {
    static constexpr auto of(expression auto x) { return unsqueeze<1>(x); }
};

/// A loop nest over the elements of the view; the map of its operand must name the element that strides name.
template <class View> bool agrees_with_strides() {
    const trace t = trace_model<viewed<View>>();
    const graph_view g = t.recorded().view();
    const int view = g.outputs[0].node;
    numbered_graph graph(g);
    loop_domain domain;
    index_map map;
    map.rank = graph.rank(view);
    for (int a = 0; a < map.rank; ++a)
        if (graph.extent(view, a) != 1) map.axes[a].set(domain.add(graph.extent(view, a), false), 1);
    index_map below;
    for (bool again = true; again;) {
        range_split split;
        again = false;
        switch (map_to_operand(graph, domain, map, view, below, split)) {
        case map_result::impossible: return false;
        case map_result::mapped: break;
        case map_result::needs_split: {
            const int added = domain.split(split.range, split.outer, split.inner);
            for (int a = 0; a < map.rank; ++a) {
                const int coefficient = map.axes[a][split.range];
                map.axes[a].set(added, coefficient);
                map.axes[a].set(split.range, graph.dims.multiply(coefficient, split.inner));
            }
            again = true;
        }
        }
    }
    const strided_view strides = resolve_strides(g, view);
    const auto value = [&](const affine& a, const std::int64_t* at) {
        std::int64_t sum = graph.dims[a.offset].k;
        for (int r = 0; r < domain.count; ++r) sum += graph.dims[a[r]].k * at[r];
        return sum;
    };
    std::int64_t points = 1;
    for (int r = 0; r < domain.count; ++r) points *= graph.dims[domain.extents[r]].k;
    if (!strides.valid || points != g.numel(view).k) return false;
    for (std::int64_t point = 0; point < points; ++point) {
        std::int64_t at[max_ranges] = {};
        std::int64_t rest = point;
        for (int r = domain.count - 1; r >= 0; --r) {
            at[r] = rest % graph.dims[domain.extents[r]].k;
            rest /= graph.dims[domain.extents[r]].k;
        }
        std::int64_t wanted = strides.offset.k;
        for (int a = 0; a < map.rank; ++a) wanted += strides.strides[a].k * value(map.axes[a], at);
        if (value(below.axes[0], at) * 6 + value(below.axes[1], at) != wanted) return false;
    }
    return true;
}

TEST_CASE("the map of a view's operand addresses what the view's strides address") {
    CHECK(agrees_with_strides<transposed>());
    CHECK(agrees_with_strides<every_third>());
    CHECK(agrees_with_strides<backwards>());
    CHECK(agrees_with_strides<widened>());
    CHECK(agrees_with_strides<regrouped>());
    CHECK(agrees_with_strides<flattened>());
    CHECK(agrees_with_strides<unsqueezed>());
}

} // namespace
} // namespace toroid::tests
