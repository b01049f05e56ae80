#pragma once
// Every reduction of a dtype against its golden vectors, over rows and over columns of a matrix.

#include <iterator>
#include <tuple>
#include <utility>

#include <toroid/toroid.hpp>

#include "kernels.hpp"

namespace golden {

inline constexpr int columns = 67;
inline constexpr auto R = symbol('R');

/// Axis 1 of [R, 67], or axis 0 of the transposed matrix.
template <dtype T, int Axis> struct matrix {
    using type = tensor<T, R, columns>;
};
template <dtype T> struct matrix<T, 0> {
    using type = tensor<T, columns, R>;
};

template <dtype T, int Axis> struct reduction_model {
    static constexpr const char* names[] = {"sum", "prod", "max", "min", "any", "all", "argmax", "argmin"};
    constexpr auto operator()(typename matrix<T, Axis>::type x) const {
        return std::tuple{sum<Axis>(x), prod<Axis>(x), max<Axis>(x),    min<Axis>(x),
                          any<Axis>(x), all<Axis>(x),  argmax<Axis>(x), argmin<Axis>(x)};
    }
};
template <dtype T, int Axis> struct composite_model {
    static constexpr const char* names[] = {"mean", "var", "population_var", "logsumexp", "softmax", "log_softmax"};
    constexpr auto operator()(typename matrix<T, Axis>::type x) const {
        return std::tuple{mean<Axis>(x),      var<Axis>(x),     var<Axis>(x, correction<0>),
                          logsumexp<Axis>(x), softmax<Axis>(x), log_softmax<Axis>(x)};
    }
};

template <dtype T> array<T> transposed(const array<T>& x) {
    array<T> result({x.extent(1), x.extent(0)});
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        for (std::int64_t j = 0; j < x.extent(1); ++j) result(j, i) = x(i, j);
    return result;
}

template <dtype From, dtype T>
void check_reduction(const std::string& where, const std::string& tensor, const array<T>& results) {
    const array<T> expected = file<From>().template read<T>(tensor);
    comparison differences(where + ": " + tensor + " of " + std::string(name_of(From)));
    REQUIRE(results.extents() == expected.extents());
    const std::string tolerance_name = tensor + ".tolerance";
    const bool inexact = file<From>().find(tolerance_name) != nullptr;
    constexpr dtype tolerance_type = From == f64 ? f64 : f32;
    const array<tolerance_type> tolerances = inexact ? file<From>().template read<tolerance_type>(tolerance_name)
                                                     : array<tolerance_type>(expected.extents());
    const std::int64_t width = expected.rank() == 2 ? columns : 1;
    const auto row = [&](std::int64_t i) { return " of row " + std::to_string(i / width); };
    for (std::int64_t i = 0; i < expected.size(); ++i) {
        const auto result = results.span()[i];
        const auto wanted = expected.span()[i];
        const bool right = inexact ? within(result, wanted, tolerances.span()[i]) : close(result, wanted, 0);
        if (!right) differences.differs(i, result, wanted, row);
    }
    differences.finish();
}

/// One model of reductions over `Axis` of a matrix.
template <template <dtype, int> class Model, dtype T, int Axis> void check_reductions() {
    const array<T> rows = file<T>().template read<T>("rows");
    for_each_instruction_set<Model<T, Axis>>([&](auto& run, const std::string& where) {
        const auto results = run(Axis == 0 ? transposed(rows) : rows);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto check = [&](const char* name, const auto& result) {
                constexpr dtype type = std::remove_cvref_t<decltype(result)>::type;
                const std::string place = where + ", axis " + std::to_string(Axis);
                check_reduction<T, type>(place, name, Axis == 0 && result.rank() == 2 ? transposed(result) : result);
            };
            (check(Model<T, Axis>::names[I], std::get<I>(results)), ...);
        }(std::make_index_sequence<std::size(Model<T, Axis>::names)>{});
    });
}

} // namespace golden
