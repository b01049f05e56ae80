#pragma once
// ops_handler: what turns an operation into code. Every handler names every operation, as an override or as the default.

#include <utility>

#include <toroid/ops/list.hpp>

namespace toroid {

/// A handler is a class with
///  - `template <op O> struct override_for;`, specialised for the operations that it implements itself: a static
///    member template `apply` with the signature of `definition<O>::apply`;
///  - `static constexpr op defaults[]`, the operations for which it takes the default formula.
/// An operation in neither, or in both, is a compile error that names it.
template <class Handler, op O>
concept overrides_op = requires { sizeof(typename Handler::template override_for<O>); };

template <class Handler> constexpr bool takes_default(op o) {
    for (const op d : Handler::defaults)
        if (d == o) return true;
    return false;
}

/// Checked class: instantiating it requires that `Handler` names the operation `Op`.
template <class Handler, op Op> struct handler_must_name {
    static_assert(overrides_op<Handler, Op> || takes_default<Handler>(Op),
                  "toroid E034: ops_handler: this handler names operation Op neither as an override (specialise "
                  "override_for<Op>) nor "
                  "in its list `defaults`");
    static_assert(
        !(overrides_op<Handler, Op> && takes_default<Handler>(Op)),
        "toroid E034: ops_handler: this handler names operation Op twice, as an override and in its list `defaults`");
    static constexpr bool value = true;
};

namespace detail {
template <class Handler, int... I> constexpr bool names_every_op(std::integer_sequence<int, I...>) {
    return (handler_must_name<Handler, static_cast<op>(I)>::value && ...);
}
template <class Handler, int... I> constexpr bool covers_every_op(std::integer_sequence<int, I...>) {
    // One evaluation over a table: every handler is checked, by every program.
    int named[] = {static_cast<int>(overrides_op<Handler, static_cast<op>(I)>)...};
    for (const op d : Handler::defaults)
        if (is_pointwise(d)) ++named[static_cast<int>(d)];
    for (const int times : named)
        if (times != 1) return false;
    return true;
}
} // namespace detail

/// True for a class that names every pointwise operation exactly once.
template <class Handler>
concept ops_handler = detail::covers_every_op<Handler>(std::make_integer_sequence<int, pointwise_count>{});

/// Checks a handler with one named error per missing operation; put it into a static_assert beside the handler.
template <class Handler> constexpr bool check_ops_handler() {
    if constexpr (ops_handler<Handler>) return true;
    else return detail::names_every_op<Handler>(std::make_integer_sequence<int, pointwise_count>{});
}

/// The operation `O` of `Handler` on compute values.
template <class Handler, op O> struct handled {
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // a CPU's overrides are host functions
#endif
    template <class... T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr auto apply(T... operands) {
        if constexpr (overrides_op<Handler, O>) return Handler::template override_for<O>::apply(operands...);
        else return definition<O>::apply(operands...);
    }
    /// to_dtype: conversion to the compute value of `To`.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
    template <dtype To, class T> [[gnu::always_inline]] TOROID_HOST_DEVICE static constexpr auto convert(T x) {
        if constexpr (overrides_op<Handler, O>) return Handler::template override_for<O>::template apply<To>(x);
        else return definition<O>::template apply<To>(x);
    }
};

} // namespace toroid
