#pragma once
// wrapper_backend: a consumer of lines. One `emit` per kind of line; a missing one is a compile error that names the line.

#include <utility>

#include <toroid/wrapper/wrapper.hpp>

namespace toroid {

/// `Backend` has an `emit` that takes the line.
template <class Backend, class Line>
concept emits = requires(Backend& backend, Line line) {
    { backend.emit(line) } -> std::same_as<void>;
};

/// Checked class: instantiated before a line is emitted.
template <class Backend, class Line> struct backend_must_emit {
    static_assert(emits<Backend, Line>,
                  "toroid E035: wrapper_backend: Backend has no `void emit(Line)`; every backend consumes every kind "
                  "of line, if only to ignore it");
    static constexpr bool value = emits<Backend, Line>;
};

namespace detail {
template <class Backend, class P, int... Kind> constexpr bool emits_every_line(std::integer_sequence<int, Kind...>) {
    return (emits<Backend, program_line<P, static_cast<line_kind>(Kind), 0>> && ...);
}
template <class Backend, class P, int... Kind>
constexpr bool must_emit_every_line(std::integer_sequence<int, Kind...>) {
    return (backend_must_emit<Backend, program_line<P, static_cast<line_kind>(Kind), 0>>::value && ...);
}
} // namespace detail

/// A backend of program `P`: emits every kind of line, whether or not the program has one.
template <class Backend, class P>
concept wrapper_backend = detail::emits_every_line<Backend, P>(std::make_integer_sequence<int, line_kind_count>{});

/// Names each missing `emit` in an error of its own.
template <class Backend, class P> constexpr bool check_wrapper_backend() {
    return detail::must_emit_every_line<Backend, P>(std::make_integer_sequence<int, line_kind_count>{});
}

namespace detail {

template <class P, int Line, class Backend> [[gnu::always_inline]] constexpr void emit_line(Backend& backend) {
    constexpr line_reference reference = P::wrapper.lines[Line];
    using line = program_line<P, reference.kind, reference.index>;
    if constexpr (backend_must_emit<Backend, line>::value) backend.emit(line{});
}

/// Folds are cut into chunks: clang limits one to 256 operands.
template <class P, int Begin, class Backend, int... I>
constexpr void emit_chunk(Backend& backend, std::integer_sequence<int, I...>) {
    (emit_line<P, Begin + I>(backend), ...);
}

inline constexpr int lines_per_chunk = 64;

template <class P, class Backend, int... Chunk>
constexpr void emit_chunks(Backend& backend, std::integer_sequence<int, Chunk...>) {
    constexpr int total = P::wrapper.sizes.lines;
    (emit_chunk<P, Chunk * lines_per_chunk>(
         backend, std::make_integer_sequence<int, (total - Chunk * lines_per_chunk < lines_per_chunk
                                                       ? total - Chunk * lines_per_chunk
                                                       : lines_per_chunk)>{}),
     ...);
}

} // namespace detail

/// Hands every line of the program to the backend, in order.
template <class P, class Backend> constexpr void emit_lines(Backend& backend) {
    constexpr int chunks = (P::wrapper.sizes.lines + detail::lines_per_chunk - 1) / detail::lines_per_chunk;
    detail::emit_chunks<P>(backend, std::make_integer_sequence<int, chunks>{});
}

} // namespace toroid
