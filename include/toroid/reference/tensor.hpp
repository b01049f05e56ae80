#pragma once
// The values of the interpreter: a tensor of numbers in double or 64-bit integers, also in constant evaluation.

#include <cstdint>
#include <initializer_list>

#include <toroid/core/dtype.hpp>
#include <toroid/core/fault.hpp>
#include <toroid/core/growable.hpp>
#include <toroid/graph/node.hpp>
#include <toroid/ops/conversion.hpp>
#include <toroid/ops/math/classification.hpp>
#include <toroid/ops/math/extrema.hpp>

namespace toroid {

// Reaching one of these in a constant expression stops compilation with its name (core/fault.hpp).
[[noreturn]] inline void reference_tensor_has_another_number_of_values_than_its_extents() {
    fault("reference tensor has another number of values than its extents");
}

namespace detail {

/// A value as an element of `type` holds it: rounded to f16, bf16 or f32.
constexpr double round_to(dtype type, double value) {
    using convert = definition<op::to_dtype>;
    switch (type) {
    case dtype::f16: return convert::apply<dtype::f16>(value);
    case dtype::bf16: return convert::apply<dtype::bf16>(value);
    case dtype::f32: return convert::apply<dtype::f32>(value);
    default: return value;
    }
}

} // namespace detail

/// A tensor by value, in row-major order. Floating dtypes keep `real`, integers and bool keep `integer`.
struct reference_tensor {
    dtype type = dtype::f32;
    growable<std::int64_t> extents;
    growable<double> real;
    growable<std::int64_t> integer;

    [[nodiscard]] constexpr int rank() const { return extents.size(); }
    /// Number of elements; 1 for rank 0.
    [[nodiscard]] constexpr int size() const {
        std::int64_t product = 1;
        for (const std::int64_t extent : extents) product *= extent;
        return static_cast<int>(product);
    }
    /// Any element as a double, by its place in row-major order.
    [[nodiscard]] constexpr double operator[](int i) const {
        return is_floating(type) ? real[i] : static_cast<double>(integer[i]);
    }

    /// Same dtype, extents and values; NaN differs from NaN.
    friend constexpr bool operator==(const reference_tensor& a, const reference_tensor& b) {
        if (a.type != b.type || a.rank() != b.rank()) return false;
        for (int i = 0; i < a.rank(); ++i)
            if (a.extents[i] != b.extents[i]) return false;
        for (int i = 0; i < a.real.size(); ++i)
            if (!(a.real[i] == b.real[i])) return false;
        for (int i = 0; i < a.integer.size(); ++i)
            if (a.integer[i] != b.integer[i]) return false;
        return true;
    }
};

/// Zeros of the given extents.
constexpr reference_tensor zero_reference(dtype type, const growable<std::int64_t>& extents) {
    reference_tensor result;
    result.type = type;
    result.extents = extents;
    if (is_floating(type)) result.real.resize(result.size());
    else result.integer.resize(result.size());
    return result;
}

/// `make_reference(f32, {2, 2}, {1, 2, 3, 4})`: values in row-major order, brought to the dtype (rounded; integers wrap).
constexpr reference_tensor make_reference(dtype type, std::initializer_list<std::int64_t> extents,
                                          std::initializer_list<double> values) {
    growable<std::int64_t> list;
    for (const std::int64_t extent : extents) list.push(extent);
    reference_tensor result = zero_reference(type, list);
    if (static_cast<int>(values.size()) != result.size())
        reference_tensor_has_another_number_of_values_than_its_extents();
    int i = 0;
    for (const double value : values) {
        if (is_floating(type)) result.real[i++] = detail::round_to(type, value);
        else result.integer[i++] = wrapped_integer(type, static_cast<std::int64_t>(value));
    }
    return result;
}

/// Several tensors as a list: what `interpret` takes.
template <class... T> constexpr growable<reference_tensor> references(const T&... tensors) {
    growable<reference_tensor> result;
    result.reserve(sizeof...(T));
    (result.push(tensors), ...);
    return result;
}

/// Same dtype and extents; floating values differ by at most `relative * max(1, |b|)`, others are equal. NaN equals NaN.
constexpr bool almost_equal(const reference_tensor& a, const reference_tensor& b, double relative) {
    if (!is_floating(a.type) || !is_floating(b.type)) return a == b;
    if (a.type != b.type || a.rank() != b.rank()) return false;
    for (int i = 0; i < a.rank(); ++i)
        if (a.extents[i] != b.extents[i]) return false;
    for (int i = 0; i < a.real.size(); ++i) {
        const bool a_nan = math::isnan(a.real[i]);
        const bool b_nan = math::isnan(b.real[i]);
        if (a_nan != b_nan) return false;
        if (a_nan || a.real[i] == b.real[i]) continue;
        if (math::isinf(a.real[i]) || math::isinf(b.real[i])) return false;
        const double size = math::maximum(1.0, math::abs(b.real[i]));
        if (math::abs(a.real[i] - b.real[i]) > relative * size) return false;
    }
    return true;
}

} // namespace toroid
