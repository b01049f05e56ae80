#pragma once
// decompose: composites (mean, var, softmax, log_softmax, logsumexp) become reductions and pointwise operations.

#include <toroid/pass/rewrite.hpp>

namespace toroid {

namespace detail {

struct decomposer : rewriter {
    using rewriter::rewriter;

    /// Number of elements that a node reduces, less `correction` and at least 0, as a value of the node's dtype.
    constexpr int count(const node& n, int old, int correction) {
        dim elements = 1;
        for (int a = 0; a < from.rank_of(from.nodes[old].operands[0]); ++a)
            if (has_axis(n.payload, a)) elements = elements * from.extent(from.nodes[old].operands[0], a);
        const dim divisor = elements - dim(correction);
        if (divisor.is_constant())
            return constant(n.type, n.shape, divisor.k > 0 ? static_cast<double>(divisor.k) : 0.0);
        const int value = add(op::extent, n.type, n.shape);
        to.nodes[value].start = to.intern(divisor);
        return add(op::maximum, n.type, n.shape, value, constant(n.type, n.shape, 0.0));
    }
    constexpr int reduce(op code, const node& n, int shape, int x) {
        return add(code, n.type, shape, x, -1, -1, n.payload & 0xff);
    }
    /// Shape of `x` with the masked axes at extent 1.
    constexpr int kept_shape(const node& n, int x) {
        shape_ids ids = to.shapes[to.nodes[x].shape];
        for (int a = 0; a < ids.rank; ++a)
            if (has_axis(n.payload, a)) ids.extents[a] = to.intern(dim(1));
        return to.intern(ids);
    }
    constexpr int mean_of(const node& n, int old, int x) {
        const int total = reduce(op::reduce_sum, n, n.shape, x);
        return add(op::div, n.type, n.shape, total, count(n, old, 0));
    }
    /// exp(x) as 2^(x log2(e)), which costs less. Its relative error grows with |x|, at most |x| ULP: of no weight in a sum
    /// of terms that shrink with |x|, nor in a half.
    constexpr int powers_of_two(dtype t, int wide, int x) {
        return add(op::exp2, t, wide, add(op::mul, t, wide, x, constant(t, wide, 1.44269504088896340736)));
    }
    constexpr int decompose(int old) {
        const node n = renamed(old);
        if (!is_composite(n.code)) return to.push(n);
        const int x = n.operands[0];
        const int wide = to.nodes[x].shape;
        const dtype t = n.type;
        switch (n.code) {
        case op::mean: return mean_of(n, old, x);
        case op::var: {
            node averaged = n;
            averaged.payload = n.payload & 0xff;
            const int mean = add(op::expand, t, wide, mean_of(averaged, old, x));
            const int centered = add(op::sub, t, wide, x, mean);
            const int squares = add(op::mul, t, wide, centered, centered);
            const int total = reduce(op::reduce_sum, n, n.shape, squares);
            return add(op::div, t, n.shape, total, count(averaged, old, static_cast<int>(n.payload >> 8)));
        }
        case op::softmax:
        case op::log_softmax: {
            const int kept = kept_shape(n, x);
            const int top = add(op::expand, t, wide, reduce(op::reduce_max, n, kept, x));
            const int shifted = add(op::sub, t, wide, x, top);
            const int powers = n.code == op::log_softmax || is_half(t) ? powers_of_two(t, wide, shifted)
                                                                       : add(op::exp, t, wide, shifted);
            const int total = reduce(op::reduce_sum, n, kept, powers);
            // The sum is 1 or more, or NaN: its reciprocal is safe, and one per row instead of a division per element.
            if (n.code == op::softmax)
                return add(op::mul, t, wide, powers, add(op::expand, t, wide, add(op::reciprocal, t, kept, total)));
            const int logarithm = add(op::log, t, kept, total);
            return add(op::sub, t, wide, shifted, add(op::expand, t, wide, logarithm));
        }
        case op::logsumexp: {
            // An infinite maximum is replaced by 0: inf - inf would be NaN.
            const int top = reduce(op::reduce_max, n, n.shape, x);
            const int infinite = add(op::isinf, dtype::bool_, n.shape, top);
            const int shift = add(op::where, t, n.shape, infinite, constant(t, n.shape, 0.0), top);
            const int shifted = add(op::sub, t, wide, x, add(op::expand, t, wide, shift));
            const int total = reduce(op::reduce_sum, n, n.shape, powers_of_two(t, wide, shifted));
            return add(op::add, t, n.shape, add(op::log, t, n.shape, total), shift);
        }
        default: return to.push(n);
        }
    }
};

} // namespace detail

/// Upper bound of the nodes that decompose adds for one composite.
inline constexpr int decomposed_nodes = 12;

/// Rewrites every composite. mean: sum / N. var: two passes. softmax: shifted by the maximum, times the
/// reciprocal of the sum (1 ULP more than a division).
constexpr graph decompose(const graph_view& g) {
    bool found = false;
    for (int i = 0; i < g.size && !found; ++i) found = is_composite(g.nodes[i].code);
    if (!found) return validated(copy_of(g));
    detail::decomposer pass(g);
    for (int i = 0; i < g.size; ++i) {
        pass.map[i] = pass.decompose(i);
        pass.carry_label(i, pass.map[i]);
    }
    return pass.finish();
}

} // namespace toroid
