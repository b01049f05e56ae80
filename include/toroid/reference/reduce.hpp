#pragma once
// Reductions and composites of the interpreter, each from its definition over the elements that one result sees.

#include <limits>

#include <toroid/reference/structure.hpp>

namespace toroid {

// Reaching this in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void argmax_or_argmin_has_no_value_over_an_extent_of_0() {
    fault("argmax or argmin has no value over an extent of 0");
}

namespace detail {

/// Places in `x` of the elements that are reduced into one, in row-major order of the reduced axes.
constexpr growable<int> reduced_places(const reference_tensor& x, std::int64_t mask, const reference_index& kept) {
    growable<std::int64_t> extents;
    int count = 1;
    for (int a = 0; a < x.rank(); ++a) {
        extents.push(has_axis(mask, a) ? x.extents[a] : 1);
        count *= static_cast<int>(extents.back());
    }
    growable<int> places;
    places.reserve(count);
    reference_index index;
    for (int i = 0; i < count; ++i) {
        reference_index source = kept;
        for (int a = 0; a < x.rank(); ++a)
            if (has_axis(mask, a)) source.values[a] = index.values[a];
        places.push(place_of(source, x.extents));
        index.advance(extents);
    }
    return places;
}

template <class T> constexpr bool is_nan_value(T value) { return definition<op::isnan>::apply(value); }

/// Position in `places` of the largest (or smallest) element; the first NaN wins, ties give the lowest.
template <class T> constexpr int extreme_position(const T* x, const growable<int>& places, bool largest) {
    if (places.empty()) argmax_or_argmin_has_no_value_over_an_extent_of_0();
    int best = 0;
    for (int k = 0; k < places.size(); ++k) {
        const T value = x[places[k]];
        if (is_nan_value(value)) return k;
        const T held = x[places[best]];
        if (largest ? value > held : value < held) best = k;
    }
    return best;
}

/// Largest (or smallest) element; `none` over nothing.
template <class T> constexpr T extreme(const T* x, const growable<int>& places, bool largest, T none) {
    if (places.empty()) return none;
    T result = x[places[extreme_position(x, places, largest)]];
    for (const int place : places) // -0 and +0 are ties for the position, not for the value
        result = largest ? definition<op::maximum>::apply(result, x[place])
                         : definition<op::minimum>::apply(result, x[place]);
    return result;
}
/// Over nothing: -inf for the largest, +inf for the smallest.
constexpr double extreme_real(const double* x, const growable<int>& places, bool largest) {
    const double none = math::detail::infinity<double>();
    return extreme(x, places, largest, largest ? -none : none);
}
/// Over nothing: the lowest value of the dtype for the largest, the highest for the smallest.
constexpr std::int64_t extreme_integer(const std::int64_t* x, const growable<int>& places, bool largest, dtype type) {
    const int bits = 8 * size_of(type) - (type == dtype::u8 ? 0 : 1);
    const std::int64_t highest = type == dtype::bool_ ? 1 : static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
    const std::int64_t lowest = type == dtype::bool_ || type == dtype::u8 ? 0 : -highest - 1;
    return extreme(x, places, largest, largest ? lowest : highest);
}

constexpr double sum_of(const double* x, const growable<int>& places) {
    double total = 0;
    for (const int place : places) total += x[place];
    return total;
}
constexpr double mean_of(const double* x, const growable<int>& places) {
    return definition<op::div>::apply(sum_of(x, places), static_cast<double>(places.size()));
}
constexpr double variance_of(const double* x, const growable<int>& places, int correction) {
    const double mean = mean_of(x, places);
    double total = 0;
    for (const int place : places) total += (x[place] - mean) * (x[place] - mean);
    const int divisor = places.size() - correction;
    return definition<op::div>::apply(divisor > 0 ? total : 0.0, divisor > 0 ? static_cast<double>(divisor) : 0.0);
}
/// Sum of exp(x - shift).
constexpr double exponential_sum(const double* x, const growable<int>& places, double shift) {
    double total = 0;
    for (const int place : places) total += definition<op::exp>::apply(x[place] - shift);
    return total;
}
constexpr double log_sum_exp(const double* x, const growable<int>& places) {
    const double top = extreme_real(x, places, true);
    const double shift = math::isinf(top) ? 0.0 : top;
    return definition<op::log>::apply(exponential_sum(x, places, shift)) + shift;
}

constexpr double reduce_real(op code, const double* x, const growable<int>& places, std::int64_t payload) {
    double product = 1;
    switch (code) {
    case op::reduce_sum: return sum_of(x, places);
    case op::reduce_prod:
        for (const int place : places) product *= x[place];
        return product;
    case op::reduce_max: return extreme_real(x, places, true);
    case op::reduce_min: return extreme_real(x, places, false);
    case op::mean: return mean_of(x, places);
    case op::var: return variance_of(x, places, static_cast<int>(payload >> 8));
    default: return log_sum_exp(x, places);
    }
}

constexpr std::int64_t reduce_integer(op code, dtype type, const std::int64_t* x, const growable<int>& places) {
    if (code == op::reduce_max || code == op::reduce_min)
        return extreme_integer(x, places, code == op::reduce_max, type);
    std::int64_t result = code == op::reduce_prod || code == op::reduce_all ? 1 : 0;
    for (const int place : places) {
        switch (code) {
        case op::reduce_prod: result = wrap_mul(result, x[place]); break;
        case op::reduce_any: result |= x[place]; break;
        case op::reduce_all: result &= x[place]; break;
        default: result = wrap_add(result, x[place]); break;
        }
    }
    return result;
}

constexpr void interpret_reduction(const node& n, reference_tensor& result, const reference_tensor& x) {
    reference_index index;
    for (int i = 0; i < result.size(); ++i) {
        const growable<int> places = reduced_places(x, n.payload & 0xff, index);
        if (is_arg_reduction(n.code)) {
            const bool largest = n.code == op::reduce_argmax;
            const int position = is_floating(x.type) ? extreme_position(x.real.data(), places, largest)
                                                     : extreme_position(x.integer.data(), places, largest);
            store(result, i, std::int64_t{position});
        } else if (is_floating(x.type)) {
            store(result, i, reduce_real(n.code, x.real.data(), places, n.payload));
        } else {
            store(result, i, reduce_integer(n.code, x.type, x.integer.data(), places));
        }
        index.advance(result.extents);
    }
}

/// softmax and log_softmax: a row is normalised at once.
constexpr void interpret_softmax(const node& n, reference_tensor& result, const reference_tensor& x) {
    growable<std::int64_t> rows = x.extents;
    int count = 1;
    for (int a = 0; a < x.rank(); ++a) {
        if (has_axis(n.payload, a)) rows[a] = 1;
        count *= static_cast<int>(rows[a]);
    }
    if (result.size() == 0) return;
    reference_index index;
    for (int i = 0; i < count; ++i) {
        const growable<int> places = reduced_places(x, n.payload & 0xff, index);
        const double top = extreme_real(x.real.data(), places, true);
        const double total = exponential_sum(x.real.data(), places, top);
        for (const int place : places) {
            const double shifted = x.real[place] - top;
            result.real[place] = n.code == op::softmax
                                     ? definition<op::div>::apply(definition<op::exp>::apply(shifted), total)
                                     : shifted - definition<op::log>::apply(total);
        }
        index.advance(rows);
    }
}

} // namespace detail
} // namespace toroid
