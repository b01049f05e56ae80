#pragma once
// random_model<Seed>: a model made at compile time from a number, for differential tests.

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <toroid/expr/expr.hpp>
#include <toroid/nn/activation.hpp>
#include <toroid/nn/normalization.hpp>

namespace fuzz {

using namespace toroid;

//=== choices ===//

/// What a choice is about; each has its own stream of random numbers.
enum class choice : unsigned {
    extents,
    symbolic,
    rank,
    input_type,
    steps,
    operand,
    kind,
    detail,
    partner,
    axis,
    mask,
    number,
    output_count,
    output
};

/// A number below `below` that depends on seed, step and choice only.
constexpr int pick(unsigned seed, int step, choice what, int below) {
    std::uint64_t h = seed * 0x9e3779b97f4a7c15ULL + static_cast<unsigned>(step) * 0xd1b54a32d192ed03ULL +
                      static_cast<unsigned>(what) * 0x8cb92ba72f3d8dd7ULL + 0x2545f4914f6cdd1dULL;
    for (int round = 0; round < 3; ++round) {
        h ^= h >> 31;
        h *= 0xff51afd7ed558ccdULL;
    }
    return static_cast<int>((h >> 33) % static_cast<unsigned>(below));
}

//=== shapes ===//

/// A constant, or the symbol times a constant plus a constant.
constexpr bool is_simple(dim d) { return d.is_constant() || (d.is_affine() && d.c2 == 0 && (d.m1 >> 8) == 0); }

/// Small enough, and every product of extents stays in the form that a dim can hold.
constexpr bool is_usable(const shape& s) {
    std::int64_t elements = 1;
    int symbolic = 0;
    bool simple = true;
    for (int a = 0; a < s.rank; ++a) {
        if (s.extents[a].is_constant()) elements *= s.extents[a].k;
        else ++symbolic;
        simple = simple && is_simple(s.extents[a]);
    }
    return s.rank <= 4 && elements <= 2000 && (symbolic <= 1 || (symbolic == 2 && simple && elements <= 300));
}

constexpr bool do_broadcast(const shape& a, const shape& b) {
    shape joined;
    joined.rank = a.rank > b.rank ? a.rank : b.rank;
    for (int i = 1; i <= joined.rank; ++i) {
        const dim left = i <= a.rank ? a.extents[a.rank - i] : dim(1);
        const dim right = i <= b.rank ? b.extents[b.rank - i] : dim(1);
        if (!(left == right) && !left.is(1) && !right.is(1)) return false;
        joined.extents[joined.rank - i] = left.is(1) ? right : left;
    }
    return is_usable(joined);
}

constexpr bool do_concat(const shape& a, const shape& b, int axis) {
    if (a.rank != b.rank || !is_simple(a.extents[axis]) || !is_simple(b.extents[axis])) return false;
    for (int i = 0; i < a.rank; ++i)
        if (i != axis && !(a.extents[i] == b.extents[i])) return false;
    shape joined = a;
    joined.extents[axis] = a.extents[axis] + b.extents[axis];
    return is_usable(joined);
}

constexpr bool do_matmul(const shape& a, const shape& b) {
    if (a.rank < 2 || b.rank < 2 || !(a.extents[a.rank - 1] == b.extents[b.rank - 2])) return false;
    shape left = a;
    shape right = b;
    left.rank -= 2;
    right.rank -= 2;
    if (!do_broadcast(left, right)) return false;
    shape joined = left.rank > right.rank ? left : right;
    for (int i = 1; i <= joined.rank; ++i) {
        const dim l = i <= left.rank ? left.extents[left.rank - i] : dim(1);
        const dim r = i <= right.rank ? right.extents[right.rank - i] : dim(1);
        joined.extents[joined.rank - i] = l.is(1) ? r : l;
    }
    joined.extents[joined.rank++] = a.extents[a.rank - 2];
    joined.extents[joined.rank++] = b.extents[b.rank - 1];
    // The operands are broadcast to the batch, so they must be usable with it too.
    shape wide = joined;
    wide.extents[wide.rank - 1] = a.extents[a.rank - 1];
    shape tall = joined;
    tall.extents[tall.rank - 2] = b.extents[b.rank - 2];
    return is_usable(joined) && is_usable(wide) && is_usable(tall);
}

template <dtype T, class Source, class Axes = std::make_integer_sequence<int, Source::value.rank>> struct tensor_of;
template <dtype T, class Source, int... Axis> struct tensor_of<T, Source, std::integer_sequence<int, Axis...>> {
    using type = tensor<T, Source::value.extents[Axis]...>;
};

//=== inputs ===//

inline constexpr int input_count = 3;

/// Extents of an input: suffixes and unit axes of one base shape of the seed, so that inputs broadcast.
template <unsigned Seed, int Number> struct input_shape {
    static constexpr shape make() {
        constexpr int sizes[] = {1, 2, 3, 5, 7, 8, 4, 17, 33, 3};
        shape base;
        base.rank = 4;
        for (int a = 0; a < 4; ++a) base.extents[a] = dim(sizes[pick(Seed, a, choice::extents, a < 2 ? 7 : 10)]);
        if (pick(Seed, 0, choice::symbolic, 12) == 0) base.extents[pick(Seed, 1, choice::symbolic, 4)] = dim(0);
        if (pick(Seed, 2, choice::symbolic, 3) == 0) base.extents[pick(Seed, 3, choice::symbolic, 4)] = symbol('B');
        const int rank = Number == 0 ? 2 + pick(Seed, 0, choice::rank, 2) : pick(Seed, Number, choice::rank, 5);
        shape result;
        result.rank = rank;
        for (int a = 0; a < rank; ++a) {
            result.extents[a] = base.extents[4 - rank + a];
            if (Number != 0 && pick(Seed, 8 * Number + a, choice::extents, 4) == 0) result.extents[a] = dim(1);
        }
        while (!is_usable(result)) {
            for (int a = 1; a < result.rank; ++a) result.extents[a - 1] = result.extents[a];
            --result.rank;
        }
        return result;
    }
    static constexpr shape value = make();
};

constexpr dtype input_type(unsigned seed, int number) {
    constexpr dtype types[] = {f32, f32, f32, f32, f32, f64, f16, bf16, i32, i64, boolean, u8, i8, i16};
    return types[pick(seed, number, choice::input_type, number == 0 ? 8 : 14)];
}
template <unsigned Seed, int Number>
using input = typename tensor_of<input_type(Seed, Number), input_shape<Seed, Number>>::type;

//=== one step ===//

template <unsigned Seed, int Step, expression X> constexpr auto random_unary(X x) {
    constexpr int k = pick(Seed, Step, choice::detail, 32);
    if constexpr (is_boolean(X::type)) {
        return !x;
    } else if constexpr (is_integral(X::type)) {
        constexpr int i = k % 8;
        if constexpr (i == 0) return -x;
        else if constexpr (i == 1) return abs(x);
        else if constexpr (i == 2) return square(x);
        else if constexpr (i == 3) return relu(x);
        else if constexpr (i == 4) return sign(x);
        else if constexpr (i == 5) return remainder(x, 3);
        else if constexpr (i == 6) return clamp(x, -2, 3);
        else return x * 3 + 1;
    } else {
        if constexpr (k == 0) return -x;
        else if constexpr (k == 1) return abs(x);
        else if constexpr (k == 2) return relu(x);
        else if constexpr (k == 3) return tanh(x);
        else if constexpr (k == 4) return sigmoid(x);
        else if constexpr (k == 5) return sin(x);
        else if constexpr (k == 6) return cos(x);
        else if constexpr (k == 7) return exp(minimum(x, 2.5));
        else if constexpr (k == 8) return log(abs(x) + 0.5);
        else if constexpr (k == 9) return sqrt(abs(x));
        else if constexpr (k == 10) return rsqrt(square(x) + 1.0);
        else if constexpr (k == 11) return erf(x);
        else if constexpr (k == 12) return floor(x * 2.5);
        else if constexpr (k == 13) return round(x);
        else if constexpr (k == 14) return sign(x);
        else if constexpr (k == 15) return log1p(abs(x));
        else if constexpr (k == 16) return expm1(minimum(x, 2.0));
        else if constexpr (k == 17) return softplus(x);
        else if constexpr (k == 18) return silu(x);
        else if constexpr (k == 19) return gelu(x);
        else if constexpr (k == 20) return reciprocal(abs(x) + 1.0);
        else if constexpr (k == 21) return clamp(x, -1.0, 2);
        else if constexpr (k == 22) return square(tanh(x));
        else if constexpr (k == 23) return x * 1.0 + 0.0;
        else if constexpr (k == 24) return exp2(minimum(x, 3.0));
        else if constexpr (k == 25) return log2(abs(x) + 0.25);
        else if constexpr (k == 26) return ceil(x);
        else if constexpr (k == 27) return erfc(x);
        else if constexpr (k == 28) return 2.0 - x;
        else if constexpr (k == 29) return remainder(x, 1.5);
        else if constexpr (k == 30) return sqrt(x); // NaN below 0
        else return elu(x);
    }
}

template <unsigned Seed, int Step, expression X, expression Y> constexpr auto random_binary(X x, Y y) {
    constexpr int k = pick(Seed, Step, choice::detail, 16);
    constexpr dtype type = promote(X::type, Y::type);
    if constexpr (is_boolean(type)) {
        if constexpr (k < 4) return x && y;
        else if constexpr (k < 8) return x || y;
        else if constexpr (k < 12) return logical_xor(x, y);
        else return x + y;
    } else if constexpr (is_integral(type)) {
        if constexpr (k < 3) return x + y;
        else if constexpr (k < 5) return x - y;
        else if constexpr (k < 8) return x * y;
        else if constexpr (k < 9) return minimum(x, y);
        else if constexpr (k < 10) return maximum(x, y);
        else if constexpr (k < 11) return remainder(x, y);
        else if constexpr (k < 12) return fmod(x, y);
        else if constexpr (k < 13) return x < y;
        else if constexpr (k < 14) return x == y;
        else if constexpr (k < 15) return x / (abs(to_dtype<i32>(y)) + 1);
        else return fma(x, y, x);
    } else {
        if constexpr (k < 3) return x + y;
        else if constexpr (k < 5) return x - y;
        else if constexpr (k < 7) return x * y;
        else if constexpr (k < 8) return x * tanh(to_dtype<type>(y));
        else if constexpr (k < 9) return minimum(x, y);
        else if constexpr (k < 10) return maximum(x, y);
        else if constexpr (k < 12) return to_dtype<type>(x) / (abs(to_dtype<type>(y)) + 1.0);
        else if constexpr (k < 13) return pow(abs(to_dtype<type>(x)) + 0.5, clamp(to_dtype<type>(y), -2.0, 2.0));
        else if constexpr (k < 14) return fmod(to_dtype<type>(x), abs(to_dtype<type>(y)) + 0.75);
        else if constexpr (k < 15) return fma(x, y, x);
        else return x >= y;
    }
}

template <unsigned Seed, int Step, expression X> constexpr auto random_cast(X x) {
    constexpr int k = pick(Seed, Step, choice::detail, 14);
    if constexpr (k < 3) return to_dtype<f32>(x);
    else if constexpr (k < 5) return to_dtype<f16>(x);
    else if constexpr (k < 7) return to_dtype<bf16>(x);
    else if constexpr (k < 8) return to_dtype<f64>(x);
    else if constexpr (k < 9) return to_dtype<i32>(x);
    else if constexpr (k < 10) return to_dtype<i64>(x);
    else if constexpr (k < 11) return to_dtype<boolean>(x);
    else if constexpr (k < 12) return to_dtype<u8>(x);
    else if constexpr (k < 13) return to_dtype<i8>(x);
    else return to_dtype<i16>(x);
}

template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 0>) {
    return flip<Axis>(x);
}
template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 1>) {
    return slice<Axis, 1>(x);
}
template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 2>) {
    return slice<Axis, 0, to_end, 2>(x);
}
template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 3>) {
    return slice<Axis, 0, -1>(x);
}
template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 4>) {
    return slice<Axis, to_end, to_end, -2>(x);
}
template <int Axis, expression X> constexpr auto random_slice_of(X x, std::integral_constant<int, 5>) {
    return slice<Axis, 0, 2>(x);
}

/// Strides over a symbolic axis only where it is simple and the only symbolic one: its length leaves the affine form.
template <unsigned Seed, int Step, expression X> constexpr auto random_slice(X x) {
    constexpr int axis = pick(Seed, Step, choice::axis, X::rank);
    constexpr int k = pick(Seed, Step, choice::detail, 6);
    constexpr dim extent = X::extents.extents[axis];
    constexpr int symbolic = [] {
        int count = 0;
        for (int a = 0; a < X::rank; ++a) count += X::extents.extents[a].is_constant() ? 0 : 1;
        return count;
    }();
    if constexpr (extent.is_constant() || (is_simple(extent) && symbolic == 1))
        return random_slice_of<axis>(x, std::integral_constant<int, k>{});
    else return flip<axis>(x);
}

template <unsigned Seed, int Step, expression X> constexpr auto random_view(X x) {
    constexpr int k = pick(Seed, Step, choice::detail, 8);
    if constexpr (X::rank == 0) {
        return expand<3>(x);
    } else if constexpr (X::rank == 1) {
        if constexpr (k < 3) return unsqueeze<0>(x);
        else if constexpr (k < 5) return unsqueeze<1>(x);
        else return flip<0>(x);
    } else {
        constexpr int axis = pick(Seed, Step, choice::axis, X::rank);
        if constexpr (k < 2) return transpose(x);
        else if constexpr (k < 3) return transpose<0, -1>(x);
        else if constexpr (k < 5) return flatten(x);
        else if constexpr (k < 6 && X::rank == 3) return permute<2, 0, 1>(x);
        else if constexpr (k < 6 && X::rank == 4) return permute<1, 3, 0, 2>(x);
        else if constexpr (k < 7 && X::rank < 4) return unsqueeze<axis>(x);
        else if constexpr (X::rank == 2) return transpose(x);
        else
            return reshape < X::extents.extents[0] * X::extents.extents[1],
                   X::rank == 3 ? X::extents.extents[2] : X::extents.extents[2] * X::extents.extents[3] > (x);
    }
}

/// A new axis of extent 2 or 3 before all others.
template <int Count, expression X, int... Axis> constexpr auto repeat(X x, std::integer_sequence<int, Axis...>) {
    return expand<Count, X::extents.extents[Axis]...>(x);
}

constexpr bool has_value(const shape& s, int mask) {
    for (int a = 0; a < s.rank; ++a)
        if ((mask >> a & 1) != 0 && s.extents[a].is(0)) return false;
    return true;
}

template <int Kind, bool Keep, int... Axes, expression X> constexpr auto reduce_by(X x) {
    const auto apply = [&](auto... keep) {
        if constexpr (Kind < 3) return sum<Axes...>(x, keep...);
        else if constexpr (Kind < 5) return mean<Axes...>(x, keep...);
        else if constexpr (Kind == 5) return max<Axes...>(x, keep...);
        else if constexpr (Kind == 6) return min<Axes...>(x, keep...);
        else if constexpr (Kind == 7) return var<Axes...>(x, keep...);
        else if constexpr (Kind == 8) return var<Axes...>(x, keep..., correction<0>);
        else if constexpr (Kind == 9) return prod<Axes...>(x, keep...);
        else if constexpr (Kind == 10) return any<Axes...>(x, keep...);
        else if constexpr (Kind == 11) return all<Axes...>(x, keep...);
        else if constexpr (Kind == 12) return argmax<Axes...>(x, keep...);
        else if constexpr (Kind == 13) return argmin<Axes...>(x, keep...);
        else return logsumexp<Axes...>(x, keep...);
    };
    if constexpr (Keep) return apply(keepdim);
    else return apply();
}

template <unsigned Seed, int Step, expression X> constexpr auto random_reduction(X x) {
    constexpr int wanted = pick(Seed, Step, choice::detail, 15);
    constexpr bool keep = pick(Seed, Step, choice::number, 3) == 0;
    constexpr int axis = pick(Seed, Step, choice::axis, X::rank);
    constexpr int mode = pick(Seed, Step, choice::mask, 8);
    constexpr int mask = mode == 0                  ? 15
                         : mode < 4 && X::rank >= 2 ? (1 << axis) | (1 << ((axis + 1) % X::rank))
                                                    : 1 << axis;
    constexpr bool needs_value = wanted == 5 || wanted == 6 || wanted == 12 || wanted == 13;
    constexpr int kind = needs_value && !has_value(X::extents, mask) ? 0 : wanted;
    if constexpr (mode == 0) return reduce_by<kind, keep>(x);
    else if constexpr (mode < 4 && X::rank >= 2) return reduce_by<kind, keep, axis, (axis + 1) % X::rank>(x);
    else return reduce_by<kind, keep, axis>(x);
}

template <unsigned Seed, int Step, expression X> constexpr auto random_normalization(X x) {
    constexpr int k = pick(Seed, Step, choice::detail, 8);
    constexpr int axis = pick(Seed, Step, choice::axis, X::rank);
    if constexpr (k < 3) return softmax<axis>(x);
    else if constexpr (k < 4) return log_softmax<axis>(x);
    else if constexpr (k < 6) return layer_norm(to_dtype<promote_scalar(X::type, f32)>(x));
    else if constexpr (k < 7) return rms_norm(to_dtype<promote_scalar(X::type, f32)>(x));
    else return x - mean<axis>(x, keepdim);
}

/// Index of a pool member that `fits` accepts, looking from a random one on; -1 for none.
template <unsigned Seed, int Step, class Fits, class... X> constexpr int find_partner(Fits fits) {
    constexpr int count = static_cast<int>(sizeof...(X));
    const bool ok[] = {fits(X::extents)...};
    for (int i = 0; i < count; ++i) {
        const int at = (i + pick(Seed, Step, choice::partner, count)) % count;
        if (ok[at]) return at;
    }
    return -1;
}

template <unsigned Seed, int Step, expression X, class... P>
constexpr auto random_step(X x, const std::tuple<P...>& pool) {
    constexpr int kind = pick(Seed, Step, choice::kind, 40);
    constexpr int axis = pick(Seed, Step, choice::axis, X::rank == 0 ? 1 : X::rank);
    constexpr int broadcast = find_partner<Seed, Step, bool (*)(const shape&), P...>(
        [](const shape& s) { return do_broadcast(X::extents, s); });
    if constexpr (kind < 9) {
        return random_unary<Seed, Step>(x);
    } else if constexpr (kind < 18) {
        if constexpr (broadcast < 0) return random_unary<Seed, Step>(x);
        else return random_binary<Seed, Step>(x, std::get<broadcast>(pool));
    } else if constexpr (kind < 21) {
        return random_view<Seed, Step>(x);
    } else if constexpr (kind < 24) {
        if constexpr (X::rank == 0) return random_unary<Seed, Step>(x);
        else return random_slice<Seed, Step>(x);
    } else if constexpr (kind < 29) {
        if constexpr (X::rank == 0) return random_unary<Seed, Step>(x);
        else return random_reduction<Seed, Step>(x);
    } else if constexpr (kind < 31) {
        if constexpr (X::rank == 0) return random_unary<Seed, Step>(x);
        else return random_normalization<Seed, Step>(x);
    } else if constexpr (kind < 33) {
        constexpr auto condition = [](auto value) {
            if constexpr (is_floating(X::type)) return value > 0.37;
            else if constexpr (is_boolean(X::type)) return value;
            else return value > 2;
        };
        if constexpr (broadcast < 0) return where(condition(x), x, 1);
        else return where(condition(x), x, std::get<broadcast>(pool));
    } else if constexpr (kind < 36) {
        return random_cast<Seed, Step>(x);
    } else if constexpr (kind < 37) {
        if constexpr (X::rank < 4 &&
                      is_usable(
                          {X::rank + 1, {dim(3), X::extents.extents[0], X::extents.extents[1], X::extents.extents[2]}}))
            return repeat<3>(x, std::make_integer_sequence<int, X::rank>{});
        else return random_unary<Seed, Step>(x);
    } else if constexpr (kind < 38) {
        if constexpr (X::rank > 0) {
            constexpr int partner = find_partner<Seed, Step, bool (*)(const shape&), P...>(
                [](const shape& s) { return do_concat(X::extents, s, axis); });
            if constexpr (partner < 0) return random_unary<Seed, Step>(x);
            else return concat<axis>(x, std::get<partner>(pool));
        } else {
            return random_unary<Seed, Step>(x);
        }
    } else {
        // Numbers that are not bool, in the shape of a matrix.
        const auto number = [](auto value) {
            if constexpr (is_boolean(decltype(value)::type)) return to_dtype<f32>(value);
            else return value;
        };
        constexpr int partner = find_partner<Seed, Step, bool (*)(const shape&), P...>(
            [](const shape& s) { return do_matmul(X::extents, s); });
        if constexpr (X::rank < 2) {
            return random_unary<Seed, Step>(x);
        } else if constexpr (partner >= 0) {
            return matmul(number(x), number(std::get<partner>(pool)));
        } else {
            constexpr shape turned = [] {
                shape s = X::extents;
                s.extents[s.rank - 1] = X::extents.extents[s.rank - 2];
                s.extents[s.rank - 2] = X::extents.extents[s.rank - 1];
                return s;
            }();
            if constexpr (do_matmul(X::extents, turned)) return matmul(number(x), transpose(number(x)));
            else return random_unary<Seed, Step>(x);
        }
    }
}

//=== the model ===//

constexpr int step_count(unsigned seed) { return 5 + pick(seed, 0, choice::steps, 10); }

template <class Tuple, std::size_t... I> constexpr auto without_first(const Tuple& t, std::index_sequence<I...>) {
    return std::make_tuple(std::get<I + 1>(t)...);
}

/// The last value and up to two others.
template <unsigned Seed, class... P> constexpr auto choose_outputs(const std::tuple<P...>& pool) {
    constexpr int last = static_cast<int>(sizeof...(P)) - 1;
    constexpr int count = pick(Seed, 0, choice::output_count, 4);
    constexpr int second = pick(Seed, 1, choice::output, last);
    constexpr int third = pick(Seed, 2, choice::output, last);
    if constexpr (count < 2) return std::get<last>(pool);
    else if constexpr (count == 2) return std::make_tuple(std::get<second>(pool), std::get<last>(pool));
    else return std::make_tuple(std::get<last>(pool), std::get<second>(pool), std::get<third>(pool));
}

template <unsigned Seed, int Step, class... P> constexpr auto grow(const std::tuple<P...>& pool) {
    constexpr int count = static_cast<int>(sizeof...(P));
    if constexpr (Step == step_count(Seed)) {
        return choose_outputs<Seed>(pool);
    } else {
        constexpr int recent = pick(Seed, Step, choice::operand, 2);
        constexpr int at = recent == 0 && Step > 0 ? count - 1 : pick(Seed, Step, choice::number, count);
        const auto pooled = std::tuple_cat(pool, std::make_tuple(random_step<Seed, Step>(std::get<at>(pool), pool)));
        if constexpr (count < 6) return grow<Seed, Step + 1>(pooled);
        else return grow<Seed, Step + 1>(without_first(pooled, std::make_index_sequence<count>{}));
    }
}

/// Five to fourteen operations on three inputs; the same seed is the same model on every machine.
/// A third of the seeds has a run-time extent B, one in twelve an extent of 0.
template <unsigned Seed> struct random_model {
    constexpr auto operator()(input<Seed, 0> a, input<Seed, 1> b, input<Seed, 2> c) const {
        return grow<Seed, 0>(std::make_tuple(a, b, c));
    }
};

} // namespace fuzz
