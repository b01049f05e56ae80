#pragma once
// binding: callers' arrays against what a program wants, for every executor. Works on host and device views. Host only.

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <toroid/codegen/entry.hpp>
#include <toroid/storage/extent_list.hpp>
#include <toroid/wrapper/wrapper.hpp>

namespace toroid {

/// Throws `invalid_argument` unless the view is contiguous and its address a multiple of `alignment` bytes; `copier`
/// names the function that makes such a copy.
template <class View>
void require_contiguous(const char* what, int number, const View& view, std::size_t alignment, const char* copier) {
    if (!view.is_contiguous())
        throw error(error_code::invalid_argument,
                    what + std::to_string(number) + " is strided; pass a contiguous copy: " + copier);
    if (view.size() != 0 && !view.is_aligned(alignment))
        throw error(error_code::invalid_argument, what + std::to_string(number) +
                                                      " is misaligned: its address must be a multiple of " +
                                                      std::to_string(alignment) + " bytes; pass a copy: " + copier);
}

/// An input of type `Input` (a tensor) as the lines see it.
template <class Input, class View>
bound_array bound_input(int number, const View& view, std::size_t alignment, const char* copier) {
    if (view.rank() != Input::rank)
        throw error(error_code::invalid_argument, "input " + std::to_string(number) + " has rank " +
                                                      std::to_string(view.rank()) + ", the model wants " +
                                                      std::to_string(Input::rank));
    require_contiguous("input ", number, view, alignment, copier);
    bound_array bound;
    bound.data = const_cast<std::remove_const_t<std::remove_pointer_t<decltype(view.data())>>*>(view.data());
    for (int a = 0; a < Input::rank; ++a) bound.extents[a] = view.extent(a);
    return bound;
}

/// Extents of output `number` of program `P`.
template <class P> extent_list output_extents(int number, const symbol_values& symbols) {
    std::int64_t extents[max_rank] = {};
    int rank = 0;
    for (int i = P::wrapper.sizes.buffers - 1; i >= 0; --i) {
        const wrapper_buffer& b = P::wrapper.buffers[i];
        if (b.role != buffer_role::output || b.number != number) continue;
        for (int a = 0; a < b.extents.rank; ++a) extents[rank++] = b.extents[a].evaluate(symbols);
        break;
    }
    return extent_list(std::span<const std::int64_t>(extents, static_cast<std::size_t>(rank)));
}

/// Throws `invalid_argument` unless the view can take output `number`.
template <class View>
void check_output(int number, const View& view, const extent_list& wanted, std::size_t alignment, const char* copier) {
    if (!(view.extents() == wanted))
        throw error(error_code::invalid_argument, "output " + std::to_string(number) + " has shape " +
                                                      shape_string(view.extents()) + ", the model gives " +
                                                      shape_string(wanted));
    require_contiguous("output ", number, view, alignment, copier);
}

/// No output may share memory with an input or with another output. The first `Outputs` views are outputs.
template <std::size_t Outputs, class... Views> void check_overlap(const Views&... views) {
    struct memory_range {
        const std::byte* first;
        const std::byte* last;
    };
    constexpr int total = static_cast<int>(sizeof...(Views));
    constexpr int written = static_cast<int>(Outputs);
    const memory_range ranges[] = {{reinterpret_cast<const std::byte*>(views.data()),
                                    reinterpret_cast<const std::byte*>(views.data()) +
                                        views.size() * static_cast<std::int64_t>(sizeof(*views.data()))}...};
    for (int i = 0; i < written; ++i)
        for (int j = i + 1; j < total; ++j)
            if (ranges[i].first < ranges[j].last && ranges[j].first < ranges[i].last)
                throw error(error_code::invalid_argument, "output " + std::to_string(i) + " overlaps " +
                                                              (j < written ? "output " : "input ") +
                                                              std::to_string(j < written ? j : j - written) +
                                                              " in memory; give it memory of its own");
}

/// What the checks of program `P` and the caller say about the largest symbol values; 0 where neither does.
template <class P> symbol_values known_maxima(const symbol_values& told) {
    symbol_values maxima = P::symbol_maxima();
    for (int slot = 0; slot < 52; ++slot)
        if (told.bound[slot]) maxima.set(symbol_values::letter(slot), told.values[slot]);
    return maxima;
}

} // namespace toroid
