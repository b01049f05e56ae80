#pragma once
// Runs a range of seeds: the optimised graph and the target's executor against the interpreted traced graph.

#include <doctest/doctest.h>

#include <tuple>
#include <utility>

#include <toroid/reference/arrays.hpp>
#include <toroid/toroid.hpp>

#include "oracle.hpp"
#include "random_model.hpp"

namespace fuzz {

/// The executor of a target's programs, with host arrays in and out: the CPU's, unless a specialisation names another.
template <class Model, class Target> struct executor_of {
    using type = cpu::executor<Model, Target>;
};

/// Cases of a test, and those of which most elements were compared: a judge that skips judges nothing.
struct totals {
    int cases = 0;
    int judged = 0;

    void add(const verdict& v) {
        ++cases;
        judged += v.compared >= v.skipped ? 1 : 0;
    }
};

template <dtype T> growable<reference_tensor> as_references(const array<T>& y) { return references(make_reference(y)); }
template <class... Y> growable<reference_tensor> as_references(const std::tuple<Y...>& y) {
    return std::apply([](const auto&... each) { return references(make_reference(each)...); }, y);
}

template <class Executor, class... Inputs>
auto run_on(Executor& run, const growable<reference_tensor>& inputs, type_list<Inputs...>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const std::tuple arrays{to_array<Inputs::type>(inputs[static_cast<int>(I)])...};
        return run(std::get<I>(arrays).view()...);
    }(std::index_sequence_for<Inputs...>{});
}

/// One model under one set of inputs.
template <class Program, class Executor>
void run_case(unsigned seed, std::int64_t symbol_value, bool special, Executor& run, totals& sum) {
    const graph_view traced = Program::traced.view();
    const growable<reference_tensor> inputs = random_inputs(traced, symbol_value, seed, special);
    CAPTURE(seed);
    CAPTURE(symbol_value);
    CAPTURE(special);
    if (is_rejected(traced, inputs)) {
        CHECK_THROWS_AS(run_on(run, inputs, typename Program::inputs{}), error);
        return;
    }
    if (has_no_value(traced, inputs)) return;
    INFO("traced:\n" << describe(traced) << "optimised:\n" << describe(Program::graph.view()));
    const verdict passes = judge(traced, inputs, interpret_optimized(Program::graph.view(), inputs));
    CHECK_MESSAGE(passes.failure.empty(), "passes: " << passes.failure);
    const verdict executed = judge(traced, inputs, as_references(run_on(run, inputs, typename Program::inputs{})));
    CHECK_MESSAGE(executed.failure.empty(), "executor: " << executed.failure);
    sum.add(executed);
}

/// Extents of 3, 1, 0 and 6 for the symbol where there is one; then the same with NaN, infinities and limits among the inputs.
template <unsigned Seed, class Target> void run_seed(totals& sum) {
    using model = random_model<Seed>;
    using compiled = program<model, Target>;
    static_assert(validate(compiled::graph.view()).ok());
    typename executor_of<model, Target>::type run;
    const bool symbolic = has_symbol(compiled::traced.view());
    for (const std::int64_t value : {3, 1, 0, 6})
        if (symbolic || value == 3) run_case<compiled>(Seed, value, false, run, sum);
    run_case<compiled>(Seed, 3, true, run, sum);
}

template <unsigned First, class Target = targets::cpu, unsigned... I>
totals run_seeds(std::integer_sequence<unsigned, I...>) {
    totals sum;
    (run_seed<First + I, Target>(sum), ...);
    return sum;
}

/// Runs `Count` seeds from `First` on and requires that most cases were judged.
template <unsigned First, unsigned Count, class Target = targets::cpu> void check_seeds() {
    const totals sum = run_seeds<First, Target>(std::make_integer_sequence<unsigned, Count>{});
    CHECK(sum.cases >= static_cast<int>(Count));
    CHECK(4 * sum.judged >= 3 * sum.cases);
}

} // namespace fuzz
