// The judge of a fuzz case (oracle.hpp).

#include "oracle.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <toroid/ops/list.hpp>
#include <toroid/reference/interpreter.hpp>

namespace fuzz {

using namespace toroid;
using tensors = growable<reference_tensor>;

namespace {

//=== random numbers ===//

std::uint64_t mix(std::uint64_t h) {
    for (int round = 0; round < 2; ++round) {
        h ^= h >> 32;
        h *= 0xd6e8feb86659fd93ULL;
    }
    return h ^ h >> 32;
}
/// In [0, 1).
double unit(std::uint64_t h) { return static_cast<double>(mix(h) >> 11) * 0x1p-53; }
/// Of magnitude 1/2 to 1, either sign: a perturbation that is never lost.
double push(std::uint64_t h) { return (mix(h) & 1) != 0 ? 0.5 + 0.5 * unit(h + 1) : -0.5 - 0.5 * unit(h + 1); }

//=== rounding of a dtype ===//

/// Half the distance of neighbours near 1.
double rounding_of(dtype type) {
    switch (type) {
    case dtype::f16: return 0x1p-11;
    case dtype::bf16: return 0x1p-8;
    case dtype::f32: return 0x1p-24;
    default: return 0x1p-53;
    }
}
/// Sums of f16 and bf16 are taken in f32.
double sum_rounding_of(dtype type) { return rounding_of(is_half(type) ? dtype::f32 : type); }
/// Below it, rounding is absolute.
double smallest_of(dtype type) {
    return type == dtype::f16 ? 0x1p-24 : type == dtype::f64 ? 0x1p-1074 : type == dtype::bf16 ? 0x1p-133 : 0x1p-149;
}
double largest_of(dtype type) {
    return type == dtype::f16   ? 65504.0
           : type == dtype::f64 ? std::numeric_limits<double>::max()
                                : static_cast<double>(std::numeric_limits<float>::max());
}

/// Operations whose result is one of the operands' values, or as exact as they are.
bool is_exact(op code) {
    switch (code) {
    case op::identity:
    case op::to_dtype:
    case op::neg:
    case op::abs:
    case op::relu:
    case op::floor:
    case op::ceil:
    case op::trunc:
    case op::round:
    case op::sign:
    case op::minimum:
    case op::maximum:
    case op::where:
    case op::reduce_max:
    case op::reduce_min:
    case op::concat: return true;
    default: return is_view(code) || is_leaf(code);
    }
}
/// Operations that round the exact result once.
bool rounds_once(op code) {
    switch (code) {
    case op::add:
    case op::sub:
    case op::mul:
    case op::div:
    case op::sqrt:
    case op::square:
    case op::reciprocal:
    case op::fmod:
    case op::remainder:
    case op::fma: return true;
    default: return false;
    }
}

double largest_magnitude(const reference_tensor& x) {
    double result = 0;
    for (int k = 0; k < x.size(); ++k)
        if (std::isfinite(x[k])) result = std::fmax(result, std::abs(x[k]));
    return result;
}

//=== perturbation ===//

/// Moves every value of an interpretation by what an executor may round: a run gives one possible outcome.
struct perturbation {
    const graph_view& g;
    std::uint64_t run; ///< 0: none

    void operator()(int i, reference_tensor& value, const tensors& values) const {
        const node& n = g.nodes[i];
        if (!is_floating(n.type) || value.size() == 0) return;
        const double error = run == 0 ? 0 : absolute_error(n, value, values);
        for (int k = 0; k < value.size(); ++k) {
            double& v = value.real[k];
            if (std::isinf(error)) {
                v = run % 2 == 0 ? std::numeric_limits<double>::infinity() : v;
                continue;
            }
            if (run != 0) v = moved(n, i, k, v, error, values);
            // f32 and bf16 overflow where a double does not.
            if (n.type != dtype::f64 && n.type != dtype::f16 && std::abs(v) > largest_of(n.type))
                v = std::copysign(std::numeric_limits<double>::infinity(), v);
        }
    }

    /// Error of sums, which depends on the operands and not on the result.
    double absolute_error(const node& n, const reference_tensor& value, const tensors& values) const {
        const double unit_error = rounding_of(n.type);
        const double sum_error = sum_rounding_of(n.type);
        if (!is_reduction(n.code) && !is_composite(n.code) && n.code != op::matmul) return 0;
        const reference_tensor& x = values[n.operands[0]];
        const double size = largest_magnitude(x);
        const double count = n.code == op::matmul ? static_cast<double>(x.extents[x.rank() - 1])
                                                  : static_cast<double>(x.size()) / static_cast<double>(value.size());
        switch (n.code) {
        case op::matmul: return sum_error * count * size * largest_magnitude(values[n.operands[1]]);
        case op::reduce_sum: return sum_error * count * size;
        case op::mean:
            // The sum may overflow on its way where the mean does not; so may the squares of a variance.
            if (count * size > largest_of(n.type)) return std::numeric_limits<double>::infinity();
            return sum_error * size;
        case op::var:
            if (count * size * size > largest_of(n.type)) return std::numeric_limits<double>::infinity();
            return unit_error * size * unit_error * size + 2 * unit_error * size * std::sqrt(largest_magnitude(value));
        case op::log_softmax:
        case op::logsumexp: return unit_error * (size + 4) + sum_error * count;
        default: return 0;
        }
    }

    double moved(const node& n, int i, int k, double v, double error, const tensors& values) const {
        const double unit_error = rounding_of(n.type);
        if (n.type == dtype::f16 && std::abs(v) > largest_of(n.type) && run % 2 == 0)
            return std::copysign(std::numeric_limits<double>::infinity(), v);
        if (!std::isfinite(v)) return v;
        if (is_exact(n.code) && !(n.code == op::constant && is_half(n.type))) return v;
        // Equal values move alike: executors compute equal elements equally.
        std::uint64_t h = run * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(i) * 0x2545f4914f6cdd1dULL;
        h = mix(h) + std::bit_cast<std::uint64_t>(v);
        if (error > 0) h += mix(static_cast<std::uint64_t>(k));
        if (rounds_once(n.code) && (n.type == dtype::f64 || detail::round_to(n.type, v) == v)) return v;
        double relative = unit_error;
        if (n.code == op::softmax || n.code == op::reduce_prod || n.code == op::var) {
            const reference_tensor& x = values[n.operands[0]];
            relative = 4 * unit_error + sum_rounding_of(n.type) * static_cast<double>(x.size());
            if (n.code == op::softmax) relative += 2 * unit_error * largest_magnitude(x);
        }
        double bound = relative * std::abs(v) + error;
        if (v != 0 || error > 0) bound += smallest_of(n.type);
        return v + 4 * bound * push(h);
    }
};

tensors interpret_perturbed(const graph_view& g, const tensors& inputs, std::uint64_t run) {
    return interpret(g, inputs, {}, perturbation{g, run});
}

//=== one element ===//

std::string text_of(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.9g", value);
    return buffer;
}

enum class agreement { equal, different, undecided };

/// Compares element `k` of output `o` with the runs, of which the first is not perturbed.
agreement compare(const std::vector<tensors>& runs, int o, int k, const reference_tensor& actual) {
    const reference_tensor& base = runs[0][o];
    if (!is_floating(base.type)) {
        for (const tensors& run : runs)
            if (run[o].integer[k] != base.integer[k]) return agreement::undecided;
        return actual.integer[k] == base.integer[k] ? agreement::equal : agreement::different;
    }
    const double expected = base.real[k];
    double spread = 0;
    for (const tensors& run : runs) {
        const double value = run[o].real[k];
        if (std::isnan(value) != std::isnan(expected) || std::isinf(value) != std::isinf(expected))
            return agreement::undecided;
        if (std::isinf(value) && value != expected) return agreement::undecided;
        if (std::isfinite(value)) spread = std::fmax(spread, std::abs(value - expected));
    }
    if (std::isnan(expected)) return std::isnan(actual.real[k]) ? agreement::equal : agreement::different;
    if (std::isinf(expected)) return actual.real[k] == expected ? agreement::equal : agreement::different;
    if (std::abs(expected) > largest_of(base.type)) return agreement::undecided;
    const double tolerance = 4 * spread + 2 * rounding_of(base.type) * std::abs(expected) + smallest_of(base.type);
    if (tolerance > 0.25 * std::fmax(1.0, std::abs(expected))) return agreement::undecided;
    return std::abs(actual.real[k] - expected) <= tolerance ? agreement::equal : agreement::different;
}

} // namespace

//=== inputs ===//

tensors random_inputs(const graph_view& model, std::int64_t symbol_value, unsigned seed, bool special) {
    symbol_values symbols;
    symbols.set('B', symbol_value);
    tensors result;
    for (int i = 0; i < model.size; ++i) {
        const node& n = model.nodes[i];
        if (n.code != op::input) continue;
        growable<std::int64_t> extents;
        for (int a = 0; a < model.rank_of(i); ++a) extents.push(model.extent(i, a).evaluate(symbols));
        reference_tensor x = zero_reference(n.type, extents);
        for (int k = 0; k < x.size(); ++k) {
            const std::uint64_t h = mix((seed * 64ULL + static_cast<std::uint64_t>(n.payload)) * 0x10001ULL +
                                        static_cast<std::uint64_t>(k) * 0x9e3779b97f4a7c15ULL);
            const int rare = special ? static_cast<int>(h % 24) : 24;
            if (is_floating(n.type)) {
                // Half of the values are short numbers, so that equal ones and ties occur.
                double value = (h >> 20 & 1) != 0 ? static_cast<double>(h >> 24 & 31) / 4 - 4 : 6 * unit(h) - 3;
                if (rare == 0) value = std::numeric_limits<double>::quiet_NaN();
                if (rare == 1) value = std::numeric_limits<double>::infinity();
                if (rare == 2) value = -std::numeric_limits<double>::infinity();
                if (rare == 3) value = -0.0;
                x.real[k] = detail::round_to(n.type, value);
            } else {
                auto value = static_cast<std::int64_t>(h >> 24 & 15) - 6;
                if (n.type == dtype::u8 && value < 0) value = -value;
                if (rare == 0) value = std::numeric_limits<std::int64_t>::max();
                if (rare == 1) value = std::int64_t{1} << (8 * size_of(n.type) - 1); // the lowest, once wrapped
                x.integer[k] =
                    wrapped_integer(n.type, n.type == dtype::bool_ ? static_cast<std::int64_t>(h >> 40 & 1) : value);
            }
        }
        result.push(x);
    }
    return result;
}

bool has_symbol(const graph_view& model) {
    for (int i = 0; i < model.size; ++i)
        for (int a = 0; model.nodes[i].code == op::input && a < model.rank_of(i); ++a)
            if (!model.extent(i, a).is_constant()) return true;
    return false;
}

bool is_rejected(const graph_view& traced, const tensors& inputs) {
    try {
        solve_symbols(traced, inputs, {});
    } catch (const error& failure) { return failure.code() == error_code::guard_failed; }
    return false;
}

bool has_no_value(const graph_view& traced, const tensors& inputs) {
    const symbol_values symbols = solve_symbols(traced, inputs, {});
    for (int i = 0; i < traced.size; ++i) {
        const node& n = traced.nodes[i];
        if (is_arg_reduction(n.code) && traced.numel(n.operands[0]).evaluate(symbols) == 0 &&
            traced.numel(i).evaluate(symbols) != 0)
            return true;
    }
    return false;
}

//=== verdicts ===//

verdict judge(const graph_view& traced, const tensors& inputs, const tensors& outputs) {
    constexpr int run_count = 13;
    std::vector<tensors> runs;
    for (int r = 0; r < run_count; ++r)
        runs.push_back(interpret_perturbed(traced, inputs, static_cast<std::uint64_t>(r)));
    verdict result;
    if (outputs.size() != runs[0].size()) {
        result.failure = "another number of outputs";
        return result;
    }
    for (int o = 0; o < outputs.size() && result.failure.empty(); ++o) {
        const reference_tensor& expected = runs[0][o];
        const reference_tensor& actual = outputs[o];
        bool fits = actual.type == expected.type && actual.rank() == expected.rank();
        for (int a = 0; fits && a < expected.rank(); ++a) fits = actual.extents[a] == expected.extents[a];
        if (!fits) {
            result.failure = "output " + std::to_string(o) + " has another dtype or other extents";
            break;
        }
        for (int k = 0; k < expected.size(); ++k) {
            const agreement found = compare(runs, o, k, actual);
            if (found == agreement::undecided) ++result.skipped;
            else ++result.compared;
            if (found == agreement::different && result.failure.empty())
                result.failure = "output " + std::to_string(o) + ", element " + std::to_string(k) + ": expected " +
                                 text_of(expected[k]) + ", got " + text_of(actual[k]);
        }
    }
    return result;
}

tensors interpret_optimized(const graph_view& optimized, const tensors& inputs) {
    return interpret_perturbed(optimized, inputs, 0);
}

std::string describe(const graph_view& g) {
    const auto dim_text = [](dim d) {
        if (d.is_constant()) return std::to_string(d.k);
        std::string text;
        const std::int64_t coefficients[] = {d.c1, d.c2};
        const std::uint64_t monomials[] = {d.m1, d.m2};
        for (int i = 0; i < 2; ++i) {
            if (coefficients[i] == 0) continue;
            text += (text.empty() ? "" : "+") + std::to_string(coefficients[i]);
            for (std::uint64_t m = monomials[i]; m != 0; m >>= 8) text += static_cast<char>(m & 0xff);
        }
        text += "+" + std::to_string(d.k);
        if (d.divisor == 1) return text;
        return std::to_string(d.offset) + "+" + std::to_string(d.scale) + "*((" + text + ")/" +
               std::to_string(d.divisor) + ")";
    };
    std::string text;
    for (int i = 0; i < g.size; ++i) {
        const node& n = g.nodes[i];
        text += "  %" + std::to_string(i) + " = " + name_of(n.code) + " " + std::string(name_of(n.type)) + "[";
        for (int a = 0; a < g.rank_of(i); ++a) text += (a == 0 ? "" : ", ") + dim_text(g.extent(i, a));
        text += "](";
        for (int k = 0; k < 3 && n.operands[k] >= 0; ++k)
            text += (k == 0 ? "%" : ", %") + std::to_string(n.operands[k]);
        text += ")";
        if (n.code == op::constant && is_floating(n.type)) text += " value " + text_of(floating_constant(n));
        else if (!is_pointwise(n.code)) text += " payload " + std::to_string(n.payload);
        if (n.code == op::slice)
            text += " axis " + std::to_string(slice_axis(n.payload)) + " step " +
                    std::to_string(slice_step(n.payload)) + " start " + dim_text(g.dims[n.start]);
        text += "\n";
    }
    for (int i = 0; i < g.output_count; ++i) text += "  output %" + std::to_string(g.outputs[i].node) + "\n";
    return text;
}

} // namespace fuzz
