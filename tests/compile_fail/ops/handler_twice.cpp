// A handler that names an operation as an override and as a default: the message names it.
// code: E034
// expect: static assertion failed.*ops_handler: this handler names operation Op twice
// expect: handler_must_name<handler, .*op::tanh>

#include <toroid/ops/handler.hpp>

using namespace toroid;

template <int Count> struct op_array {
    op list[Count] = {};
    constexpr const op* begin() const { return list; }
    constexpr const op* end() const { return list + Count; }
};
/// All operations, or all but `left_out`.
template <int Count> constexpr op_array<Count> every_op(op left_out) {
    op_array<Count> result;
    int n = 0;
    for (int i = 0; i < pointwise_count; ++i)
        if (Count == pointwise_count || static_cast<op>(i) != left_out) result.list[n++] = static_cast<op>(i);
    return result;
}

struct handler {
    template <op O> struct override_for;
#ifdef TOROID_GOOD
    static constexpr auto defaults = every_op<pointwise_count - 1>(op::tanh);
#else
    static constexpr auto defaults = every_op<pointwise_count>(op::tanh);
#endif
};
template <> struct handler::override_for<op::tanh> {
    template <class T> static constexpr T apply(T x) { return x; }
};
static_assert(check_ops_handler<handler>());
