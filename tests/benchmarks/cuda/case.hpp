#pragma once
// case: something that is called on rotating inputs, checked, and timed as a graph of several calls.

#include <algorithm>
#include <cmath>
#include <memory>

#include "device.hpp"
#include "rows.hpp"

namespace benchmark {

/// The error of a result that is wrong altogether.
inline constexpr double failed = 1e30;

/// The largest error so far.
class largest_error {
public:
    /// `magnitude`: the size of what the element is made of, by which its error is measured.
    void add(double got, double wanted, double magnitude) {
        const double error = got == wanted ? 0 : std::abs(got - wanted) / magnitude;
        value_ = std::max(value_, std::isfinite(error) ? error : failed);
    }
    [[nodiscard]] double value() const { return value_; }

private:
    double value_ = 0;
};

/// Calls of a case that a graph holds at least, and seconds that a replay lasts at least.
inline constexpr int fewest_calls = 8;
inline constexpr double shortest_replay = 200e-6;

/// Runs, checks and captures a case: `call(set)` on the stream `work()`, `sets()`, `bytes()`, `poison_outputs()` and
/// `error(set)`.
template <class Case> prepared prepare_case(std::shared_ptr<Case> data, double tolerance) {
    const int sets = data->sets();
    const auto rounded_up = [sets](int calls) { return (calls + sets - 1) / sets * sets; };
    for (int i = 0; i < sets; ++i) data->call(i); // loads the kernels, which a capture could not
    check(cudaStreamSynchronize(data->work()), "cudaStreamSynchronize");
    data->poison_outputs();

    const auto captured = [&](int calls) {
        return std::make_shared<replay>(data->work(), [&] {
            for (int i = 0; i < calls; ++i) data->call(i % sets);
        });
    };
    int calls = rounded_up(fewest_calls);
    auto timed = captured(calls);
    const double first = timed->seconds();
    if (first < shortest_replay) {
        calls = rounded_up(static_cast<int>(calls * shortest_replay / first) + 1);
        timed = captured(calls);
    }

    prepared result;
    result.bytes = data->bytes();
    result.sets = sets;
    result.calls = calls;
    result.tolerance = tolerance;
    result.error = std::max(data->error(0), data->error(sets - 1));
    result.seconds = [data, timed, calls] { return timed->seconds() / calls; };
    return result;
}

} // namespace benchmark
