#pragma once
// Rows of many lengths on the GPU against the definitions of softmax, norms and reductions, computed in double.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <toroid/nn/normalization.hpp>

#include "support.hpp"

namespace toroid::tests::rows {

inline constexpr auto B = symbol('B');
inline constexpr auto S = symbol('S');

//=== models ===//

/// `Length` is a constant, or the symbol S for a length known at run time.
template <dtype T, dim Length> struct softmax_model {
    constexpr auto operator()(tensor<T, B, Length> x) const { return softmax(x); }
};
template <dtype T, dim Length> struct layer_norm_model {
    constexpr auto operator()(tensor<T, B, Length> x, tensor<T, Length> weight, tensor<T, Length> bias) const {
        return layer_norm(x, weight, bias);
    }
};
template <dtype T, dim Length> struct rms_norm_model {
    constexpr auto operator()(tensor<T, B, Length> x, tensor<T, Length> weight) const { return rms_norm(x, weight); }
};
template <dtype T, dim Length> struct statistics_model {
    constexpr auto operator()(tensor<T, B, Length> x) const {
        return std::tuple(sum<-1>(x), var<-1>(x), max<-1>(x), argmax<-1>(x), any<-1>(x), all<-1>(x));
    }
};

//=== numbers ===//

/// Half a unit in the last place of a stored result.
template <dtype T> constexpr double rounding = T == f16 ? 0x1p-11 : T == bf16 ? 0x1p-8 : 0x1p-24;
/// Half of the smallest positive number.
template <dtype T> constexpr double underflow = T == f16 ? 0x1p-25 : 0x1p-134;

template <dtype T> double wide(storage_t<T> x) { return static_cast<double>(static_cast<compute_t<T>>(x)); }

/// NaN for NaN, infinities as expected, and else within a relative and an absolute error besides one rounding.
template <dtype T> bool near(storage_t<T> got, double wanted, double relative, double absolute) {
    const double g = wide<T>(got);
    if (std::isnan(g) || std::isnan(wanted)) return std::isnan(g) && std::isnan(wanted);
    if (std::isinf(g) || std::isinf(wanted)) return g == wanted;
    return std::abs(g - wanted) <= (rounding<T> + relative) * std::abs(wanted) + absolute + underflow<T>;
}

/// Counts the elements that differ, and keeps the first.
class differences {
public:
    void add(bool right, std::int64_t at, double got, double wanted) {
        if (right) return;
        if (count_++ == 0) first_ = {at, got, wanted};
    }
    void require_none(const std::string& what, std::int64_t length) const {
        const auto [at, got, wanted] = first_;
        CHECK_MESSAGE(count_ == 0, what, " of rows of ", length, ": ", count_, " elements differ, first ", at, ": got ",
                      got, ", expected ", wanted);
    }

private:
    std::int64_t count_ = 0;
    std::tuple<std::int64_t, double, double> first_{};
};

/// Rows of about a quarter of a million elements in all, an odd number of them, and never one alone.
constexpr std::int64_t row_count(std::int64_t length) {
    return std::clamp<std::int64_t>((std::int64_t{1} << 18) / std::max<std::int64_t>(length, 1), 3, 301) | 1;
}

template <dtype T> double at(const array<T>& x, std::int64_t row, std::int64_t column) {
    return wide<T>(x.data()[row * x.extent(1) + column]);
}

/// Runs a model twice; the bits of both runs must be equal. Returns the results of the first as a tuple.
template <class Model, dtype... T> auto run_twice(const array<T>&... inputs) {
    host_executor<Model> run;
    auto first = run(inputs.view()...);
    const auto again = run(inputs.view()...);
    if constexpr (requires { first.data(); }) {
        CHECK(same_bits(first, again));
        return std::tuple(std::move(first));
    } else {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const bool same = (same_bits(std::get<I>(first), std::get<I>(again)) && ...);
            CHECK(same);
        }(std::make_index_sequence<std::tuple_size_v<decltype(first)>>());
        return first;
    }
}

//=== softmax ===//

template <dtype T, dim Length> void check_softmax(std::int64_t length) {
    const std::int64_t rows = row_count(length);
    array<T> x = numbers<T>({rows, length}, static_cast<unsigned>(length), -8, 8);
    // Row 1 is shifted far from zero; row 2 has nothing finite.
    for (std::int64_t i = 0; i < length; ++i) {
        x(1, i) = static_cast<storage_t<T>>(static_cast<float>(at(x, 1, i) + 64));
        x(2, i) = static_cast<storage_t<T>>(-std::numeric_limits<float>::infinity());
    }
    const auto [y] = run_twice<softmax_model<T, Length>>(x);
    differences different;
    for (std::int64_t r = 0; r < rows; ++r) {
        double top = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < length; ++i) top = std::max(top, at(x, r, i));
        double total = 0;
        for (std::int64_t i = 0; i < length; ++i) total += std::exp(at(x, r, i) - top);
        for (std::int64_t i = 0; i < length; ++i) {
            const double wanted = std::exp(at(x, r, i) - top) / total;
            different.add(near<T>(y(r, i), wanted, 1e-5, 0), r * length + i, at(y, r, i), wanted);
        }
    }
    different.require_none("softmax", length);
}

//=== norms ===//

/// Mean and mean square deviation of a row.
struct moments {
    double mean = 0;
    double square = 0;
};
template <dtype T> moments moments_of(const array<T>& x, std::int64_t row) {
    const std::int64_t length = x.extent(1);
    moments m;
    for (std::int64_t i = 0; i < length; ++i) m.mean += at(x, row, i) / static_cast<double>(length);
    for (std::int64_t i = 0; i < length; ++i) {
        const double distance = at(x, row, i) - m.mean;
        m.square += distance * distance / static_cast<double>(length);
    }
    return m;
}

template <dtype T, dim Length> void check_layer_norm(std::int64_t length) {
    const std::int64_t rows = row_count(length);
    array<T> x = numbers<T>({rows, length}, static_cast<unsigned>(length));
    // A mean of 1000 needs two passes in f32: the squares of the numbers hold nothing of their variance.
    for (std::int64_t i = 0; i < length; ++i)
        x(1, i) = static_cast<storage_t<T>>(static_cast<float>(at(x, 1, i) + 1000));
    const array<T> weight = numbers<T>({length}, 2);
    const array<T> bias = numbers<T>({length}, 3);
    const auto [y] = run_twice<layer_norm_model<T, Length>>(x, weight, bias);
    differences different;
    for (std::int64_t r = 0; r < rows; ++r) {
        const moments m = moments_of(x, r);
        const double scale = 1 / std::sqrt(m.square + 1e-5);
        for (std::int64_t i = 0; i < length; ++i) {
            const double gain = wide<T>(weight(i));
            const double wanted = (at(x, r, i) - m.mean) * scale * gain + wide<T>(bias(i));
            // What f32 loses of the mean, in units of the deviation.
            const double absolute = std::abs(gain) * (2e-5 + 4e-7 * std::abs(m.mean) * scale);
            different.add(near<T>(y(r, i), wanted, 4e-6, absolute + 1e-6), r * length + i, at(y, r, i), wanted);
        }
    }
    different.require_none("layer_norm", length);
}

template <dtype T, dim Length> void check_rms_norm(std::int64_t length) {
    const std::int64_t rows = row_count(length);
    const array<T> x = numbers<T>({rows, length}, static_cast<unsigned>(length));
    const array<T> weight = numbers<T>({length}, 2);
    const auto [y] = run_twice<rms_norm_model<T, Length>>(x, weight);
    differences different;
    for (std::int64_t r = 0; r < rows; ++r) {
        double square = 0;
        for (std::int64_t i = 0; i < length; ++i) square += at(x, r, i) * at(x, r, i) / static_cast<double>(length);
        const double scale = 1 / std::sqrt(square + 1e-6);
        for (std::int64_t i = 0; i < length; ++i) {
            const double wanted = at(x, r, i) * scale * wide<T>(weight(i));
            different.add(near<T>(y(r, i), wanted, 1e-5, 0), r * length + i, at(y, r, i), wanted);
        }
    }
    different.require_none("rms_norm", length);
}

//=== statistics ===//

/// Ties, a NaN in one row, only zeros in another: what max, argmax, any and all must get right in every lane.
template <dtype T> array<T> rows_with_ties(std::int64_t rows, std::int64_t length) {
    array<T> x({rows, length});
    std::mt19937 random(static_cast<unsigned>(length));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t i = 0; i < length; ++i) {
            const int quarters = static_cast<int>(random() % 33) - 16;
            x(r, i) = static_cast<storage_t<T>>(r == 2 ? 0.0F : static_cast<float>(quarters) / 4);
        }
    x(1, static_cast<std::int64_t>(random() % static_cast<unsigned>(length))) =
        static_cast<storage_t<T>>(std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t r = 3; r < rows; ++r) // one number is largest, at every place in turn
        if (r % 3 == 0) x(r, (r * 7919) % length) = static_cast<storage_t<T>>(5.0F);
    return x;
}

template <dtype T, dim Length> void check_statistics(std::int64_t length) {
    const std::int64_t rows = row_count(length);
    const array<T> x = rows_with_ties<T>(rows, length);
    const auto [total, variance, largest, place, some, every] = run_twice<statistics_model<T, Length>>(x);
    differences different;
    for (std::int64_t r = 0; r < rows; ++r) {
        double sum = 0;
        double magnitude = 0;
        double top = at(x, r, 0);
        std::int64_t top_at = 0;
        bool any_set = false;
        bool all_set = true;
        for (std::int64_t i = 0; i < length; ++i) {
            const double value = at(x, r, i);
            sum += value;
            magnitude += std::abs(value);
            if (!std::isnan(top) && (std::isnan(value) || value > top)) {
                top = value;
                top_at = i;
            }
            any_set = any_set || value != 0;
            all_set = all_set && value != 0;
        }
        const double n = static_cast<double>(length);
        const double spread = length > 1 ? moments_of(x, r).square * n / (n - 1) : std::nan("");
        different.add(near<T>(total(r), sum, 0, 1e-6 * magnitude), r, wide<T>(total(r)), sum);
        different.add(near<T>(variance(r), spread, 1e-5, 0), r, wide<T>(variance(r)), spread);
        different.add(near<T>(largest(r), top, 0, 0), r, wide<T>(largest(r)), top);
        different.add(place(r) == top_at, r, static_cast<double>(place(r)), static_cast<double>(top_at));
        different.add(some(r) == any_set, r, some(r), any_set);
        different.add(every(r) == all_set, r, every(r), all_set);
    }
    different.require_none("sum, var, max, argmax, any or all", length);
}

} // namespace toroid::tests::rows
