#pragma once
// body_facts: what a loop nest must know of a kernel body at compile time: which values run where, in which pass.

#include <toroid/codegen/launcher.hpp>

namespace toroid {

template <class Body> TOROID_HOST_DEVICE constexpr bool active(int value, int pass) {
    return (Body::values.rows[value].passes >> pass & 1) != 0;
}
/// Element type behind an access.
template <class Body, int Access>
inline constexpr dtype access_type = Body::arguments[Body::accesses[Access].argument].type;

/// True when an access moves along a reduced range.
template <class Body> TOROID_HOST_DEVICE constexpr bool moves_in_reduction(int access) {
    for (int r = 0; r < Body::ranges.size; ++r)
        if (Body::ranges.rows[r].reduction && !Body::dims.rows[Body::accesses.rows[access].strides[r]].is(0))
            return true;
    return false;
}
/// True when the value is computed per lane in loops over reduced ranges (or in the only loop of a pointwise body).
template <class Body> TOROID_HOST_DEVICE constexpr bool per_element(int value) {
    return nest_of<Body>() == nest_kind::pointwise || Body::values.rows[value].in_reduction;
}
/// True when a store happens inside loops over reduced ranges.
template <class Body> TOROID_HOST_DEVICE constexpr bool stores_per_element(int store) {
    return nest_of<Body>() == nest_kind::pointwise || moves_in_reduction<Body>(Body::stores.rows[store].access);
}
/// True when a store uses the access.
template <class Body> TOROID_HOST_DEVICE constexpr bool is_stored(int access) {
    for (int s = 0; s < Body::stores.size; ++s)
        if (Body::stores.rows[s].access == access) return true;
    return false;
}
template <class Body> TOROID_HOST_DEVICE constexpr int store_stage(int store) {
    return Body::values.rows[Body::stores.rows[store].value].stage;
}

template <class Body> TOROID_HOST_DEVICE constexpr bool reduces_in(int value, int pass) {
    return Body::values.rows[value].kind == value_kind::reduce && Body::values.rows[value].stage == pass + 1;
}
template <class Body> TOROID_HOST_DEVICE constexpr bool pass_reduces(int pass) {
    for (int v = 0; v < Body::values.size; ++v)
        if (reduces_in<Body>(v, pass)) return true;
    return false;
}
template <class Body> TOROID_HOST_DEVICE constexpr bool pass_stores(int pass) {
    for (int s = 0; s < Body::stores.size; ++s)
        if (store_stage<Body>(s) == pass && stores_per_element<Body>(s)) return true;
    return false;
}

/// Bit s of entry v: pass s needs value v, when nothing is kept from one pass to another: what `passes` would be without
/// stashed values.
template <class Body> struct passes_without_stash {
    std::uint64_t masks[Body::values.size > 0 ? Body::values.size : 1] = {};

    constexpr passes_without_stash() {
        for (int s = 0; s < Body::stores.size; ++s)
            masks[Body::stores.rows[s].value] |= std::uint64_t{1}
                                                 << Body::values.rows[Body::stores.rows[s].value].stage;
        for (int v = Body::values.size - 1; v >= 0; --v) {
            const kernel_value& value = Body::values.rows[v];
            const std::uint64_t wanted =
                value.kind == value_kind::reduce ? std::uint64_t{1} << (value.stage - 1) : masks[v];
            for (const int x : value.operands)
                if (x >= 0) masks[x] |= wanted;
        }
    }
};

} // namespace toroid
