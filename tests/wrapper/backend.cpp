// Dispatch of lines: a backend that reads lines and nothing else, and the concept that demands one `emit` per kind.

#include <type_traits>

#include <doctest/doctest.h>

#include <toroid/wrapper/backend.hpp>

#include "../schedule/models.hpp"

namespace toroid::tests {
namespace {

/// Counts lines per kind, and the bytes that allocate lines name.
struct counting_backend {
    int counts[line_kind_count] = {};
    int last_index[line_kind_count] = {};
    bool in_order = true;
    int total = 0;

    template <class P, line_kind Kind, int I> constexpr void emit(program_line<P, Kind, I>) {
        const int kind = static_cast<int>(Kind);
        in_order = in_order && (counts[kind] == 0 ? I == 0 : I == last_index[kind] + 1);
        last_index[kind] = I;
        ++counts[kind];
        ++total;
    }
    [[nodiscard]] constexpr int count(line_kind kind) const { return counts[static_cast<int>(kind)]; }
};

template <class Model> constexpr counting_backend counted() {
    counting_backend backend;
    emit_lines<program<Model>>(backend);
    return backend;
}

static_assert(counted<classifier>().total == program<classifier>::wrapper.sizes.lines);
static_assert(counted<classifier>().in_order);
static_assert(counted<classifier>().count(line_kind::kernel_call) == 2);
static_assert(counted<classifier>().count(line_kind::extern_kernel) == 2);
static_assert(counted<classifier>().count(line_kind::constant) == 4);
// More lines than one fold takes.
static_assert(program<twelve_blocks>::wrapper.sizes.lines > 3 * detail::lines_per_chunk);
static_assert(counted<twelve_blocks>().total == program<twelve_blocks>::wrapper.sizes.lines);
static_assert(counted<twelve_blocks>().in_order && counted<twelve_blocks>().count(line_kind::kernel_call) == 25);

//=== a line is a type with a value ===//

using net = program<classifier>;
using first_call = program_line<net, line_kind::kernel_call, 0>;
static_assert(std::is_empty_v<first_call> && std::is_same_v<first_call::program, net>);
static_assert(first_call::value.definition == net::wrapper.kernel_calls[0].definition);
static_assert(program_line<net, line_kind::extern_kernel, 1>::value.n.is(10));
static_assert(program_line<net, line_kind::extern_kernel, 0>::value.m == B);
// The right operand is the weight as it is stored, read across: a transposition costs nothing.
static_assert(program_line<net, line_kind::extern_kernel, 0>::value.rhs.row_stride.is(1));
static_assert(program_line<net, line_kind::extern_kernel, 0>::value.rhs.column_stride.is(64));

//=== the concept ===//

static_assert(wrapper_backend<counting_backend, net>);
static_assert(check_wrapper_backend<counting_backend, net>());

/// Lacks one kind of line, which this program does not even have.
struct forgets_free : counting_backend {
    using counting_backend::emit;
    template <class P, int I> void emit(program_line<P, line_kind::free, I>) = delete;
};
static_assert(!wrapper_backend<forgets_free, net>);
static_assert(!emits<forgets_free, program_line<net, line_kind::free, 0>>);
static_assert(emits<forgets_free, program_line<net, line_kind::reuse, 0>>);

/// Returns something: a result that nobody would look at.
struct returns_status : counting_backend {
    using counting_backend::emit;
    template <class P, int I> int emit(program_line<P, line_kind::guard, I>) { return 0; }
};
static_assert(!wrapper_backend<returns_status, net>);

struct empty_backend {};
static_assert(!wrapper_backend<empty_backend, net>);

//=== lines suffice ===//

/// A program that offers only what lines need: the tables of the Wrapper IR. A backend that looked at the graph or at the
/// schedule's own structures would not compile with it.
struct lines_only {
    static constexpr const auto& wrapper = program<classifier>::wrapper;
};
TEST_CASE("a backend needs nothing but lines") {
    counting_backend backend;
    emit_lines<lines_only>(backend);
    CHECK(backend.total == net::wrapper.sizes.lines);
    CHECK(backend.count(line_kind::allocate) == 2);
    CHECK(backend.count(line_kind::reuse) == 1);
}

} // namespace
} // namespace toroid::tests
