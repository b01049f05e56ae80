#pragma once
// simplify: algebraic identities that hold for every value, NaN, ±0 and ±inf included, and views that compose.

#include <toroid/pass/rewrite.hpp>

namespace toroid {

namespace detail {

struct simplifier {
    graph& to;
    bool edited = false; ///< `equal_node` rewrote a node

    [[nodiscard]] constexpr bool is_constant(int i, double value) const {
        const node& n = to.nodes[i];
        if (n.code != op::constant) return false;
        if (is_floating(n.type)) return n.payload == std::bit_cast<std::int64_t>(value);
        return n.payload == static_cast<std::int64_t>(value);
    }
    [[nodiscard]] constexpr const node& operand(const node& n, int k) const { return to.nodes[n.operands[k]]; }

    /// Returns an existing node equal to `n`, or -1; may rewrite `n` to a cheaper equal one.
    constexpr int equal_node(node& n) {
        const bool floating = is_floating(n.type);
        switch (n.code) {
        case op::identity: return -1;
        case op::add:
            // x + 0 turns -0 into +0, so only x + -0 is exact for floating numbers.
            if (is_constant(n.operands[1], floating ? -0.0 : 0.0)) return n.operands[0];
            if (is_constant(n.operands[0], floating ? -0.0 : 0.0)) return n.operands[1];
            return -1;
        case op::sub: return is_constant(n.operands[1], 0.0) ? n.operands[0] : -1;
        case op::mul:
            if (is_constant(n.operands[1], 1.0)) return n.operands[0];
            if (is_constant(n.operands[0], 1.0)) return n.operands[1];
            if (!floating && is_constant(n.operands[1], 0.0)) return n.operands[1];
            if (!floating && is_constant(n.operands[0], 0.0)) return n.operands[0];
            return -1;
        case op::div: return is_constant(n.operands[1], 1.0) ? n.operands[0] : -1;
        case op::pow:
            if (is_constant(n.operands[1], 1.0)) return n.operands[0];
            if (is_constant(n.operands[1], 2.0)) {
                n.code = op::mul;
                n.operands[1] = n.operands[0];
                edited = true;
            }
            return -1;
        case op::neg: return operand(n, 0).code == op::neg ? operand(n, 0).operands[0] : -1;
        case op::logical_not: return operand(n, 0).code == op::logical_not ? operand(n, 0).operands[0] : -1;
        case op::abs:
        case op::relu:
        case op::floor:
        case op::ceil:
        case op::trunc:
        case op::round: return operand(n, 0).code == n.code ? n.operands[0] : -1;
        case op::minimum:
        case op::maximum:
        case op::logical_and:
        case op::logical_or: return n.operands[0] == n.operands[1] ? n.operands[0] : -1;
        case op::where:
            if (operand(n, 0).code == op::constant) return n.operands[operand(n, 0).payload != 0 ? 1 : 2];
            return n.operands[1] == n.operands[2] ? n.operands[1] : -1;
        case op::to_dtype: return operand(n, 0).type == n.type ? n.operands[0] : -1;
        default:
            if (is_view(n.code)) return equal_view(n);
            return is_reduction(n.code) ? equal_reduction(n) : -1;
        }
    }

    /// A reduction over axes of extent 1 is its operand; the index of the only element is 0.
    constexpr int equal_reduction(node& n) {
        if (operand(n, 0).shape != n.shape) return -1;
        if (!is_arg_reduction(n.code)) return n.operands[0];
        n.code = op::constant;
        n.payload = 0;
        n.operands[0] = -1;
        edited = true;
        return -1;
    }

    constexpr int equal_view(node& n) {
        const node& x = operand(n, 0);
        const int rank = to.shapes[n.shape].rank;
        if (n.code == op::permute) {
            if (x.code == op::permute) {
                std::int64_t composed = 0;
                for (int a = 0; a < rank; ++a)
                    composed |= static_cast<std::int64_t>(permutation_axis(x.payload, permutation_axis(n.payload, a)))
                                << (4 * a);
                n.payload = composed;
                n.operands[0] = x.operands[0];
                edited = true;
            }
            bool keeps_order = true;
            for (int a = 0; a < rank; ++a) keeps_order = keeps_order && permutation_axis(n.payload, a) == a;
            return keeps_order ? n.operands[0] : -1;
        }
        if (n.code == op::slice) return -1;
        if (x.code == n.code) { // reshape of reshape, expand of expand
            n.operands[0] = x.operands[0];
            edited = true;
        }
        return to.nodes[n.operands[0]].shape == n.shape ? n.operands[0] : -1;
    }
};

} // namespace detail

/// Exact rules only: `x + 0` stays for floating numbers, `x - x` and `x * 0` always do. In place; nodes that lost their
/// readers are left to dce.
constexpr graph simplify(graph g) {
    detail::simplifier pass{g};
    renaming names(g.nodes.size());
    for (int i = 0; i < g.nodes.size(); ++i) {
        names.rename(g.nodes[i]);
        const int equal = is_leaf(g.nodes[i].code) ? -1 : pass.equal_node(g.nodes[i]);
        if (equal >= 0) names.replace(g, i, equal);
    }
    names.edited = pass.edited;
    return names.finish(static_cast<graph&&>(g));
}

} // namespace toroid
