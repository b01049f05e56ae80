#pragma once
// outputs: the results of a run as owning arrays: one bare array, a tuple, or named when the model returns a struct.

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <toroid/expr/model.hpp>
#include <toroid/storage/array.hpp>

namespace toroid {

/// A name as a template argument: `y.get<"logits">()`.
template <std::size_t N> struct output_name {
    char text[N] = {};
    constexpr output_name(const char (&name)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
    }
};

namespace detail {

template <class Result> struct output_tensors;
template <dtype T, dim... E> struct output_tensors<tensor<T, E...>> {
    using type = type_list<tensor<T, E...>>;
};
template <class... X> struct output_tensors<std::tuple<X...>> {
    using type = type_list<X...>;
};
template <class X, class Numbers> struct repeated;
template <class X, std::size_t... I> struct repeated<X, std::index_sequence<I...>> {
    template <std::size_t> using same = X;
    using type = type_list<same<I>...>;
};
template <class X, std::size_t N> struct output_tensors<std::array<X, N>> : repeated<X, std::make_index_sequence<N>> {};
template <reflected R> struct output_tensors<R> {
    template <class... Pair>
    static auto collect(const boost::hana::tuple<Pair...>&) -> type_list<
        std::remove_cvref_t<decltype(boost::hana::second(std::declval<Pair>())(std::declval<const R&>()))>...>;
    using type = decltype(collect(boost::hana::accessors<R>()));
};

} // namespace detail

/// The output tensors of a model's result type, as a type_list.
template <class Result> using output_tensors_t = typename detail::output_tensors<std::remove_cvref_t<Result>>::type;

/// Arrays of a result that is a reflected struct: a tuple that also knows the members' names.
template <class Result, class... Arrays> class named_outputs : public std::tuple<Arrays...> {
public:
    using std::tuple<Arrays...>::tuple;

    /// The array of the member called `Name`; an unknown name is a compile error.
    template <output_name Name> [[nodiscard]] auto& get() { return std::get<number_of<Name>()>(as_tuple()); }
    template <output_name Name> [[nodiscard]] const auto& get() const {
        return std::get<number_of<Name>()>(as_tuple());
    }

private:
    std::tuple<Arrays...>& as_tuple() { return *this; }
    const std::tuple<Arrays...>& as_tuple() const { return *this; }
    template <output_name Name> static constexpr std::size_t number_of() {
        constexpr std::size_t number = find<Name>();
        static_assert(number < sizeof...(Arrays),
                      "toroid E032: outputs: the model's result has no member of this name");
        return number;
    }
    template <output_name Name> static constexpr std::size_t find() {
        std::size_t number = sizeof...(Arrays);
        std::size_t at = 0;
        for_each_output(Result{}, [&](const char* name, const auto&) {
            if (std::string_view(name) == Name.text) number = at;
            ++at;
        });
        return number;
    }
};

namespace detail {
template <class Result, class Tensors, template <dtype> class Array> struct owned_outputs;
template <class Result, class... X, template <dtype> class Array> struct owned_outputs<Result, type_list<X...>, Array> {
    using type =
        std::conditional_t<reflected<Result>, named_outputs<Result, Array<X::type>...>, std::tuple<Array<X::type>...>>;
};
template <dtype T, dim... E, class X, template <dtype> class Array>
struct owned_outputs<tensor<T, E...>, type_list<X>, Array> {
    using type = Array<T>;
};
} // namespace detail

/// What `run(x)` returns for a model's result type, in owning arrays of a backend.
template <class Result, template <dtype> class Array>
using outputs_of = typename detail::owned_outputs<std::remove_cvref_t<Result>, output_tensors_t<Result>, Array>::type;

/// What `run(x)` returns for a model's result type.
template <class Result> using outputs_t = outputs_of<Result, array>;

} // namespace toroid
