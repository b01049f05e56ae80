#pragma once
// Test helper: small graphs built by hand, and a listing that compares them as text.

#include <toroid/graph/graph.hpp>
#include <toroid/ops/list.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

namespace test_graph {

/// A graph under construction; every node takes the extents that `at` set last.
struct sketch {
    toroid::graph g;
    int shape = -1;

    constexpr sketch() = default;
    constexpr explicit sketch(std::initializer_list<toroid::dim> extents) { at(extents); }

    constexpr sketch& at(std::initializer_list<toroid::dim> extents) {
        toroid::shape s;
        for (const toroid::dim& d : extents) s.extents[s.rank++] = d;
        shape = g.intern(s);
        return *this;
    }
    constexpr int add(toroid::op code, toroid::dtype type, int a = -1, int b = -1, int c = -1,
                      std::int64_t payload = 0) {
        toroid::node n;
        n.code = code;
        n.type = type;
        n.shape = shape;
        n.operands[0] = a;
        n.operands[1] = b;
        n.operands[2] = c;
        n.payload = payload;
        return g.push(n);
    }
    constexpr int input(toroid::dtype type = toroid::f32) {
        return add(toroid::op::input, type, -1, -1, -1, g.input_count++);
    }
    constexpr int number(double value, toroid::dtype type = toroid::f32) {
        const std::int64_t payload =
            toroid::is_floating(type) ? std::bit_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
        return add(toroid::op::constant, type, -1, -1, -1, payload);
    }
    constexpr int permute(int x, std::initializer_list<int> axes) {
        std::int64_t payload = 0;
        int i = 0;
        for (const int axis : axes) payload |= static_cast<std::int64_t>(axis) << (4 * i++);
        return add(toroid::op::permute, g.nodes[x].type, x, -1, -1, payload);
    }
    constexpr int slice(int x, int axis, toroid::dim start, std::int64_t step = 1) {
        const int n = add(toroid::op::slice, g.nodes[x].type, x, -1, -1, toroid::slice_payload(axis, step));
        g.nodes[n].start = g.intern(start);
        return n;
    }
    constexpr int named(int n, const char* text) {
        g.nodes[n].label = g.push_label(text);
        return n;
    }
    constexpr sketch& output(int n) {
        g.outputs.push({n, -1});
        return *this;
    }
    [[nodiscard]] constexpr toroid::graph_view view() const { return g.view(); }
};

//=== listing: one line per node, "number operation dtype[extents] operands payload 'label'", then "-> outputs" ===//

/// Text that grows in constant evaluation.
struct text {
    toroid::growable<char> characters;

    constexpr text& operator+=(char c) {
        characters.push(c);
        return *this;
    }
    constexpr text& operator+=(std::string_view more) {
        for (const char c : more) characters.push(c);
        return *this;
    }
    constexpr text& operator+=(std::int64_t value) {
        if (value < 0) return (*this += '-') += -value;
        if (value >= 10) *this += value / 10;
        return *this += static_cast<char>('0' + value % 10);
    }
    /// Multiples of 1/8, infinities and NaN; "?" for any other number.
    constexpr text& operator+=(double value) {
        if (value != value) return *this += "nan";
        if ((std::bit_cast<std::uint64_t>(value) >> 63) != 0) return (*this += '-') += -value;
        if (value > 1e15) return *this += value > 1e308 ? "inf" : "large";
        const std::int64_t eighths = static_cast<std::int64_t>(value * 8);
        if (static_cast<double>(eighths) != value * 8) return *this += '?';
        *this += eighths / 8;
        std::int64_t rest = eighths % 8 * 125;
        if (rest != 0) *this += '.';
        for (std::int64_t place = 100; rest != 0; rest %= place, place /= 10)
            *this += static_cast<char>('0' + rest / place);
        return *this;
    }
    constexpr text& operator+=(const toroid::dim& d) {
        bool first = true;
        const auto term = [&](std::int64_t c, std::uint64_t m) {
            if (c == 0) return;
            if (!first && c > 0) *this += '+';
            first = false;
            if (c == -1 && m != 0) *this += '-';
            else if (c != 1 || m == 0) *this += c;
            for (; m != 0; m >>= 8) *this += static_cast<char>(m & 0xff);
        };
        if (d.divisor != 1) {
            if (d.scale != 1) (*this += d.scale) += '*';
            *this += "floor((";
        }
        term(d.c1, d.m1);
        term(d.c2, d.m2);
        term(d.k, 0);
        if (first) *this += '0';
        if (d.divisor == 1) return *this;
        ((*this += ")/") += d.divisor) += ')';
        term(d.offset, 0);
        return *this;
    }
    [[nodiscard]] constexpr std::string_view view() const {
        return {characters.data(), static_cast<std::size_t>(characters.size())};
    }
};

constexpr text listed(const toroid::graph_view& g) {
    text t;
    for (int i = 0; i < g.size; ++i) {
        const toroid::node& n = g.nodes[i];
        ((((t += std::int64_t{i}) += ' ') += toroid::name_of(n.code)) += ' ') += toroid::name_of(n.type);
        t += '[';
        for (int a = 0; a < g.rank_of(i); ++a) (t += a == 0 ? "" : ",") += g.extent(i, a);
        t += ']';
        for (const int operand : n.operands)
            if (operand >= 0) (t += ' ') += std::int64_t{operand};
        if (n.code == toroid::op::constant) {
            t += " #";
            if (toroid::is_floating(n.type)) t += toroid::floating_constant(n);
            else t += n.payload;
        } else if (n.code == toroid::op::permute) {
            t += " (";
            for (int a = 0; a < g.rank_of(i); ++a) t += static_cast<char>('0' + toroid::permutation_axis(n.payload, a));
            t += ')';
        } else if (n.code == toroid::op::slice) {
            ((t += " (") += std::int64_t{toroid::slice_axis(n.payload)}) += " from ";
            (((t += g.dims[n.start]) += " step ") += toroid::slice_step(n.payload)) += ')';
        } else if (n.code == toroid::op::extent) {
            ((t += " (") += g.dims[n.start]) += ')';
        } else if (n.payload != 0 && n.code != toroid::op::input && n.code != toroid::op::parameter) {
            ((t += " (") += n.payload) += ')';
        }
        if (n.label >= 0) ((t += " '") += g.labels[n.label].text) += '\'';
        t += '\n';
    }
    if (g.output_count > 0) t += "->";
    for (int i = 0; i < g.output_count; ++i) (t += ' ') += std::int64_t{g.outputs[i].node};
    return t;
}

/// The listing, for a failing test to print.
inline std::string listing(const toroid::graph_view& g) { return std::string(listed(g).view()); }

/// True when the listing of a graph is `expected`; for static_assert.
constexpr bool reads(const toroid::graph_view& g, std::string_view expected) { return listed(g).view() == expected; }

} // namespace test_graph
