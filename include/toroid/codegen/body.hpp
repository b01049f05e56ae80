#pragma once
// body: the values of a kernel as typed registers, evaluated one element at a time by an ops handler.

#include <utility>

#include <toroid/core/limits.hpp>
#include <toroid/ops/handler.hpp>
#include <toroid/wrapper/wrapper.hpp>

namespace toroid {

//=== registers ===//

/// One value of a kernel body. Registers are bases of one struct: overload resolution finds them by number, which costs
/// far less to compile than std::tuple.
template <int I, class T> struct value_register {
    T value;
};

namespace detail {
template <class Body, class Numbers> struct register_file;
template <class Body, int... I>
struct register_file<Body, std::integer_sequence<int, I...>> : value_register<I, compute_t<Body::values[I].type>>... {};

template <int I, class T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T& register_at(value_register<I, T>& r) {
    return r.value;
}
template <int I, class T>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr const T& register_at(const value_register<I, T>& r) {
    return r.value;
}
} // namespace detail

/// Registers for every value of a body; unused ones vanish in optimisation.
template <class Body> using registers = detail::register_file<Body, std::make_integer_sequence<int, Body::values.size>>;

//=== memory ===//

/// A stored element as a compute value: f16 and bf16 become f32.
template <dtype T>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr compute_t<T> load_element(const storage_t<T>* p) {
    return static_cast<compute_t<T>>(*p);
}
/// A compute value as a stored element: rounded once for f16 and bf16.
template <dtype T>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr void store_element(storage_t<T>* p, compute_t<T> x) {
    *p = static_cast<storage_t<T>>(x);
}

//=== dims ===//

/// Run-time values of the dims of a body. Constant dims never touch the array.
template <class Body> struct body_dims {
    std::int64_t values[Body::dims.size > 0 ? Body::dims.size : 1] = {};

    constexpr explicit body_dims(const symbol_values& symbols) {
        for (int i = 0; i < Body::dims.size; ++i) values[i] = Body::dims.rows[i].evaluate(symbols);
    }
    template <int I> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr std::int64_t get() const {
        constexpr dim d = Body::dims[I];
        if constexpr (d.is_constant()) return d.constant();
        else return values[I];
    }
    template <int Range> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr std::int64_t extent() const {
        return get<Body::ranges[Range].extent>();
    }
    template <int Access, int Range> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr std::int64_t stride() const {
        return get<Body::accesses[Access].strides[Range]>();
    }
};

/// True when the stride of an access along a range is the constant `Value`.
template <class Body, int Access, int Range> TOROID_HOST_DEVICE constexpr bool stride_is(std::int64_t value) {
    if constexpr (Range < 0) return value == 0;
    else {
        constexpr dim stride = Body::dims[Body::accesses[Access].strides[Range]];
        return stride.is(value);
    }
}

//=== reductions ===//

/// The combining operation of a reduction.
TOROID_HOST_DEVICE constexpr op combining_op(op reduction) {
    switch (reduction) {
    case op::reduce_prod: return op::mul;
    case op::reduce_max:
    case op::reduce_argmax: return op::maximum;
    case op::reduce_min:
    case op::reduce_argmin: return op::minimum;
    case op::reduce_any: return op::logical_or;
    case op::reduce_all: return op::logical_and;
    default: return op::add;
    }
}

/// What a reduction starts from: 0, 1, -inf or the smallest integer, +inf or the largest, false, true.
template <op Reduction, class T> [[gnu::always_inline]] TOROID_HOST_DEVICE constexpr T reduction_identity() {
    if constexpr (Reduction == op::reduce_prod || Reduction == op::reduce_all) {
        return T(1);
    } else if constexpr (Reduction == op::reduce_max || Reduction == op::reduce_argmax) {
        if constexpr (number_limits<T>::has_infinity) return -number_limits<T>::infinity;
        else return number_limits<T>::lowest;
    } else if constexpr (Reduction == op::reduce_min || Reduction == op::reduce_argmin) {
        if constexpr (number_limits<T>::has_infinity) return number_limits<T>::infinity;
        else return number_limits<T>::max;
    } else {
        return T(0);
    }
}

/// One partial result of an arg reduction; `index` -1 while empty.
/// The first NaN wins over numbers, the better value over the worse, and the lower index at ties.
template <op Reduction, class T>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr bool arg_is_better(T value, std::int64_t index, T best,
                                                                       std::int64_t best_index) {
    const bool value_nan = value != value;
    const bool best_nan = best != best;
    const bool beats = Reduction == op::reduce_argmax ? value > best : value < best;
    const bool ties = value == best || (value_nan && best_nan);
    const bool better = (beats && !best_nan) || (value_nan && !best_nan) || (ties && index < best_index);
    return index >= 0 && (best_index < 0 || better);
}

//=== evaluation ===//

/// Computes value `V` of a body. `Source` supplies what depends on the loop nest:
///   element<Access>() – address of the element; index<Access>() – number behind an index value;
///   extent<Dim>() – value of a dim; operand<X>() – another value of the body.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // the functions of a CPU's source and handler are host functions
#endif
template <class Handler, class Body, int V, class Source>
[[gnu::always_inline]] TOROID_HOST_DEVICE constexpr compute_t<Body::values[V].type>
compute_value(const Source& source) {
    constexpr kernel_value v = Body::values[V];
    using result = compute_t<v.type>;
    if constexpr (v.kind == value_kind::load) {
        return load_element<v.type>(source.template element<v.access>());
    } else if constexpr (v.kind == value_kind::constant) {
        if constexpr (is_floating(v.type)) {
            constexpr double number = __builtin_bit_cast(double, v.payload);
            return static_cast<result>(number);
        } else {
            return static_cast<result>(v.payload);
        }
    } else if constexpr (v.kind == value_kind::index) {
        return static_cast<result>(source.template index<v.access>());
    } else if constexpr (v.kind == value_kind::extent) {
        return static_cast<result>(source.template extent<v.access>());
    } else if constexpr (v.code == op::to_dtype) {
        using handler_op = handled<Handler, op::to_dtype>;
        return handler_op::template convert<v.type>(source.template operand<v.operands[0]>());
    } else if constexpr (v.operands[1] < 0) {
        return handled<Handler, v.code>::apply(source.template operand<v.operands[0]>());
    } else if constexpr (v.operands[2] < 0) {
        return handled<Handler, v.code>::apply(source.template operand<v.operands[0]>(),
                                               source.template operand<v.operands[1]>());
    } else {
        return handled<Handler, v.code>::apply(source.template operand<v.operands[0]>(),
                                               source.template operand<v.operands[1]>(),
                                               source.template operand<v.operands[2]>());
    }
}

} // namespace toroid
