#pragma once
// expected_result: what a run without exceptions returns. Host only.

#include <optional>
#include <utility>

#include <toroid/core/error.hpp>

namespace toroid {

/// A value or an error, for callers without exceptions.
template <class T> class expected_result {
public:
    expected_result(T value) : value_(std::move(value)) {}
    expected_result(error failure) : error_(std::move(failure)) {}

    [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }
    /// The result; calling it on a failure throws the error.
    [[nodiscard]] T& value() {
        if (!value_) throw *error_;
        return *value_;
    }
    /// The error of a failed run.
    [[nodiscard]] const error& failure() const { return error_.value(); }

private:
    std::optional<T> value_;
    std::optional<error> error_;
};

} // namespace toroid
