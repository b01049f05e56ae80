#pragma once
// Golden vectors on the GPU: the models, vectors and tolerances of tests/golden, run by cuda::executor.

#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "../golden/pointwise.hpp"
#include "../golden/reductions.hpp"
#include "support.hpp"

namespace golden {

inline const std::string on_device = "kernel (GPU)";

/// The operations of a group in one program of the GPU.
template <dtype T, group G> void check_device_kernels() {
    const inputs<T> in;
    tests::host_executor<model<T, G>> run;
    const auto results = [&] {
        if constexpr (G == group::binary) return run(in.a, in.b, in.c);
        else return run(in.x);
    }();
    const auto check = [&](auto number, const auto& result) {
        constexpr dtype type = std::remove_cvref_t<decltype(result)>::type;
        if constexpr (G == group::conversions) {
            check_pointwise<T, type>(on_device, op::to_dtype, "to_" + std::string(name_of(type)), result.span(),
                                     in.text(1));
        } else {
            constexpr op code = list<T, G>.codes[decltype(number)::value];
            static_assert(type == result_of(code, T));
            check_pointwise<T, type>(on_device, code, name_of(code), result.span(), in.text(facts(code).arity));
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check(std::integral_constant<int, static_cast<int>(I)>{}, std::get<I>(results)), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(results)>>>{});
}

/// One model of reductions over `Axis` of a matrix.
template <template <dtype, int> class Model, dtype T, int Axis> void check_device_reductions() {
    const array<T> rows = file<T>().template read<T>("rows");
    tests::host_executor<Model<T, Axis>> run;
    const auto results = run(Axis == 0 ? transposed(rows) : rows);
    const auto check = [&](const char* name, const auto& result) {
        constexpr dtype type = std::remove_cvref_t<decltype(result)>::type;
        check_reduction<T, type>(on_device + ", axis " + std::to_string(Axis), name,
                                 Axis == 0 && result.rank() == 2 ? transposed(result) : result);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check(Model<T, Axis>::names[I], std::get<I>(results)), ...);
    }(std::make_index_sequence<std::size(Model<T, Axis>::names)>{});
}

} // namespace golden
