#pragma once
// A model on every instruction set of this machine, for golden vectors.

#include <string>
#include <utility>

#include <toroid/toroid.hpp>

#include "ops.hpp"

namespace golden {

/// Calls `f(executor, name)` with one executor for each instruction set of the machine.
template <class Model, class F> void for_each_instruction_set(F&& f) {
    for (const auto& [set, name] :
         {std::pair{isa::baseline, "baseline"}, std::pair{isa::avx2, "avx2"}, std::pair{isa::avx512, "avx512"}}) {
        if (set > detected_isa()) continue;
        cpu::executor_options options;
        options.instruction_set = set;
        cpu::executor<Model> run({}, options);
        REQUIRE(run.instruction_set() == set);
        f(run, std::string("kernel (") + name + ")");
    }
}

} // namespace golden
