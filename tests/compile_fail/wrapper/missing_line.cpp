// A backend consumes every kind of line, if only to ignore it.
// code: E035
// expect: static assertion failed.*toroid E035: wrapper_backend: Backend has no `void emit\(Line\)`
// expect: backend_must_emit<launch_counter, .*guard, 0>

#include <toroid/toroid.hpp>
#include <toroid/wrapper/backend.hpp>

using namespace toroid;

struct model {
    constexpr auto operator()(tensor<f32, 4> x) const { return exp(x); }
};
struct launch_counter {
    int launches = 0;
    template <line_kind Kind, int I> constexpr void emit(program_line<program<model>, Kind, I>) {
        launches += Kind == line_kind::kernel_call ? 1 : 0;
    }
#ifndef TOROID_GOOD
    template <int I> constexpr void emit(program_line<program<model>, line_kind::guard, I>) = delete;
#endif
};
static_assert(check_wrapper_backend<launch_counter, program<model>>());
