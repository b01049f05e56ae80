#pragma once
// kernel_name: "fused_add_relu_0", from the operations of a kernel body and its number. What listings, hooks and
// profilers call it.

#include <toroid/ops/list.hpp>
#include <toroid/wrapper/wrapper.hpp>

namespace toroid {

namespace detail {

/// Most operations that a kernel's name spells out.
inline constexpr int named_operations = 4;

struct kernel_name_builder {
    label value;
    int length = 0;

    constexpr void append(const char* text) {
        for (int i = 0; text[i] != 0; ++i) value.text[length++] = text[i];
    }
    constexpr void append(int number) {
        if (number >= 10) append(number / 10);
        value.text[length++] = static_cast<char>('0' + number % 10);
    }
};

constexpr int text_length(const char* text) {
    int length = 0;
    while (text[length] != 0) ++length;
    return length;
}

constexpr int digit_count(int number) { return number < 10 ? 1 : 1 + digit_count(number / 10); }

} // namespace detail

/// Name of a body: "fused", its first four operations without repeats in a row, "etc" if there are more, its number.
/// A body that only moves elements is a "copy". At most 63 characters; the number makes it unique in its program.
constexpr label make_kernel_name(const kernel_value* values, int count, int number) {
    detail::kernel_name_builder name;
    name.append("fused");
    const int longest = label::capacity - 1 - detail::text_length("_etc_") - detail::digit_count(number);
    int named = 0;
    op last = op::identity; // identities move, they do not compute
    for (int i = 0; i < count; ++i) {
        if (values[i].kind != value_kind::compute && values[i].kind != value_kind::reduce) continue;
        if (values[i].code == last || values[i].code == op::identity) continue;
        last = values[i].code;
        const char* operation = name_of(last);
        if (named == detail::named_operations || name.length + 1 + detail::text_length(operation) > longest) {
            name.append("_etc");
            break;
        }
        name.append("_");
        name.append(operation);
        ++named;
    }
    if (named == 0) name.append("_copy");
    name.append("_");
    name.append(number);
    return name.value;
}

/// Name of kernel definition `D` of program `P`. Lives as long as the program, so that `text` may be kept.
template <class P, int D>
inline constexpr label kernel_name =
    make_kernel_name(kernel_body<P, D>::values.rows, decltype(kernel_body<P, D>::values)::size, D);

} // namespace toroid
