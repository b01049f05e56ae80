#pragma once
// Models: aggregates of tensors and models, reflected by Boost.Hana; their parameters, inputs and outputs in a trace.

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <toroid/expr/tensor.hpp>

namespace toroid {

/// A class with Hana-reflected members.
template <class M>
concept reflected = boost::hana::Struct<std::remove_cvref_t<M>>::value;

namespace detail {

template <class X> struct is_std_array : std::false_type {};
template <class X, std::size_t N> struct is_std_array<std::array<X, N>> : std::true_type {};
template <class X> struct is_std_tuple : std::false_type {};
template <class... X> struct is_std_tuple<std::tuple<X...>> : std::true_type {};

/// A dotted path under construction, bounded by the label capacity.
struct path {
    label value;
    int length = 0;

    constexpr void append(const char* text) {
        for (int i = 0; text[i] != 0; ++i) append(text[i]);
    }
    constexpr void append(char c) {
        if (length == label::capacity - 1) toroid_E031_label_is_longer_than_63_characters();
        value.text[length++] = c;
    }
    constexpr void append(std::size_t number) {
        if (number >= 10) append(number / 10);
        append(static_cast<char>('0' + number % 10));
    }
    [[nodiscard]] constexpr path child() const {
        path result = *this;
        if (length > 0) result.append('.');
        return result;
    }
};

} // namespace detail

/// Checked class: what a model may consist of.
template <class Member> struct model_member {
    static constexpr bool value = is_tensor<Member>::value || detail::is_std_array<Member>::value ||
                                  detail::is_std_tuple<Member>::value || reflected<Member> ||
                                  std::is_arithmetic_v<Member> || std::is_empty_v<Member>;
    static_assert(value, "toroid E029: model: a member of type Member is neither a tensor, a number, a std::array or "
                         "std::tuple of such, "
                         "nor a class with BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT");
};

/// Calls `f(path, tensor&)` for every tensor of a model, in declaration order; paths are dotted as in PyTorch
/// ("blocks.3.fc1.weight").
template <class Model, class F> constexpr void for_each_tensor(Model& model, F&& f, const detail::path& prefix = {}) {
    using type = std::remove_cv_t<Model>;
    static_assert(model_member<type>::value);
    if constexpr (is_tensor<type>::value) {
        f(prefix, model);
    } else if constexpr (detail::is_std_array<type>::value) {
        for (std::size_t i = 0; i < model.size(); ++i) {
            detail::path at = prefix.child();
            at.append(i);
            for_each_tensor(model[i], f, at);
        }
    } else if constexpr (detail::is_std_tuple<type>::value) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto visit = [&](auto& member, std::size_t i) {
                detail::path at = prefix.child();
                at.append(i);
                for_each_tensor(member, f, at);
            };
            (visit(std::get<I>(model), I), ...);
        }(std::make_index_sequence<std::tuple_size_v<type>>{});
    } else if constexpr (reflected<type>) {
        boost::hana::for_each(boost::hana::accessors<type>(), [&](auto accessor) {
            detail::path at = prefix.child();
            at.append(boost::hana::to<const char*>(boost::hana::first(accessor)));
            auto& member = boost::hana::second(accessor)(model);
            static_assert(model_member<std::remove_cvref_t<decltype(member)>>::value); // few frames from the model
            for_each_tensor(member, f, at);
        });
    }
}

//=== signatures ===//

template <class... A> struct type_list {
    static constexpr int size = static_cast<int>(sizeof...(A));
};

namespace detail {

template <class F> struct call_signature;
template <class R, class M, class... A> struct call_signature<R (M::*)(A...) const> {
    using result = R;
    using arguments = type_list<std::remove_cvref_t<A>...>;
};
template <class R, class M, class... A>
struct call_signature<R (M::*)(A...) const noexcept> : call_signature<R (M::*)(A...) const> {};
template <class R, class M, class... A> struct call_signature<R (M::*)(A...)> : call_signature<R (M::*)(A...) const> {};

template <class M>
concept has_plain_call = requires { &M::operator(); };

template <class List> struct without_trace {
    using type = List;
    static constexpr bool leading_trace = false;
};
template <class... A> struct without_trace<type_list<trace, A...>> {
    using type = type_list<A...>;
    static constexpr bool leading_trace = true;
};

template <class List> struct all_tensors;
template <class... A> struct all_tensors<type_list<A...>> {
    static constexpr bool value = (is_tensor<A>::value && ...);
};

} // namespace detail

/// Checked class: a model's operator() can be traced.
template <class Model, bool PlainCall> struct model_call {
    static_assert(
        PlainCall,
        "toroid E030: program: Model needs exactly one operator(), not a template: write the inputs as tensors with "
        "their dtype and extents, as in operator()(tensor<f32, B, 64> x) const");
};

/// Checked class: what a model may return.
template <class Result> struct model_result {
    static constexpr bool value = is_tensor<Result>::value || detail::is_std_array<Result>::value ||
                                  detail::is_std_tuple<Result>::value || reflected<Result>;
    static_assert(value, "toroid E027: program: a model returns a tensor, a std::tuple or std::array of tensors, or a "
                         "struct with BOOST_HANA_DEFINE_STRUCT");
};

/// Inputs and result of a model. `inputs` is a type_list of tensors; a leading `trace&` is not an input.
template <class Model> struct signature {
    static_assert(sizeof(model_call<Model, detail::has_plain_call<Model>>) != 0);
    using call = detail::call_signature<decltype(&Model::operator())>;
    using result = typename call::result;
    static_assert(sizeof(model_result<std::remove_cvref_t<result>>) != 0);
    using inputs = typename detail::without_trace<typename call::arguments>::type;
    static constexpr bool leading_trace = detail::without_trace<typename call::arguments>::leading_trace;
    static_assert(
        detail::all_tensors<inputs>::value,
        "toroid E030: program: every argument of the model's operator() is a tensor (besides a leading trace&)");
};

/// Calls `f(name, tensor)` for every output of a model's result: a tensor, a std::tuple or std::array of them, or a
/// reflected struct, whose member names become the output names. Unnamed outputs are "output0", "output1", …
template <class Result, class F> constexpr void for_each_output(const Result& result, F&& f) {
    using type = std::remove_cv_t<Result>;
    const auto numbered = [&](const auto& output, std::size_t i) {
        detail::path name;
        name.append("output");
        name.append(i);
        f(name.value.text, output);
    };
    if constexpr (is_tensor<type>::value) {
        f("output", result);
    } else if constexpr (detail::is_std_array<type>::value) {
        for (std::size_t i = 0; i < result.size(); ++i) numbered(result[i], i);
    } else if constexpr (detail::is_std_tuple<type>::value) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (numbered(std::get<I>(result), I), ...);
        }(std::make_index_sequence<std::tuple_size_v<type>>{});
    } else {
        static_assert(model_result<type>::value);
        boost::hana::for_each(boost::hana::accessors<type>(), [&](auto accessor) {
            f(boost::hana::to<const char*>(boost::hana::first(accessor)), boost::hana::second(accessor)(result));
        });
    }
}

namespace detail {

template <expression X> constexpr void bind_leaf(trace& t, X& x, op code, int number, const label& name) {
    x = record<X>(t, code, -1, -1, -1, number);
    graph& g = t.recorded();
    g.nodes[x.id].label = g.labels.push(name);
}

template <class Model, class... Inputs> constexpr void trace_call(trace& t, const Model& model, type_list<Inputs...>) {
    graph& g = t.recorded();
    std::tuple<Inputs...> inputs;
    std::apply(
        [&](auto&... input) {
            [[maybe_unused]] const auto bind = [&](auto& x) { // unused by a model without inputs
                path name;
                name.append("input");
                name.append(static_cast<std::size_t>(g.input_count));
                bind_leaf(t, x, op::input, g.input_count++, name.value);
            };
            (bind(input), ...);
            const auto finish = [&](const auto& result) {
                for_each_output(result, [&](const char* name, const auto& output) {
                    if (output.owner == nullptr)
                        return t.fail({trace_fault_kind::output_not_produced, {}, {}, g.outputs.size()});
                    if (output.owner != &t) return t.fail({trace_fault_kind::another_trace, {}, {}, 0});
                    // Named: nvcc does not carry a braced argument through a generic lambda.
                    graph_output entry;
                    entry.node = output.id;
                    entry.label = g.push_label(name);
                    g.outputs.push(entry);
                });
            };
            if constexpr (signature<Model>::leading_trace) finish(model(t, input...));
            else finish(model(input...));
        },
        inputs);
}

} // namespace detail

/// Traces a model: parameters in declaration order, then inputs, then what operator() records. With `keep_faults`, a
/// model that has one leaves an empty graph and `fault()`.
template <class Model> constexpr trace trace_model(bool keep_faults = false) {
    trace t(keep_faults);
    Model model{};
    graph& g = t.recorded();
    for_each_tensor(model, [&](const detail::path& name, auto& member) {
        detail::bind_leaf(t, member, op::parameter, g.parameter_count++, name.value);
    });
    detail::trace_call(t, model, typename signature<Model>::inputs{});
    if (t.fault().kind != trace_fault_kind::none) g = graph{};
    return t;
}

} // namespace toroid
