#pragma once
// explain: what a program launches and why it is not less. A failed kernel-count contract asks for it. Host only; needs
// fmt.

#include <toroid/backend/listing/listing.hpp>
#include <toroid/inspect/schedule.hpp>

namespace toroid::inspect {

/// Counts, launches with the operations they compute, the arena, and the reason for every pair left apart.
/// `std::puts(toroid::inspect::explain<program<net>>().c_str());`
template <class Program> std::string explain() {
    const int bodies = Program::definition_count();
    std::string text =
        fmt::format("launches: {} = {} of kernels ({} distinct bod{}) + {} extern\n", Program::launch_count(),
                    Program::kernel_count(), bodies, bodies == 1 ? "y" : "ies", Program::extern_count());
    text += fmt::format("arena: {}\n", arena_text(line_tables_of<Program>()));
    return text + print_schedule(Program::graph.view(), Program::schedule.view());
}

} // namespace toroid::inspect
