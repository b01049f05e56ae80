#pragma once
// The run-time error of the library: what went wrong, where, and both values. Host only.

#include <stdexcept>
#include <string>
#include <utility>

namespace toroid {

/// Reason class of a run-time error, stable for programs to switch on.
enum class error_code {
    invalid_argument,   ///< a caller's array, extent or option does not fit the program
    guard_failed,       ///< a `check` of the model does not hold for these extents
    io_error,           ///< a file cannot be opened or read
    malformed_file,     ///< a file breaks its format
    weights_mismatch,   ///< a weights file does not match the model's names, dtypes or shapes
    out_of_memory,      ///< an allocation failed
    unsupported,        ///< valid, but not available here
    device_error        ///< a call of the device's run-time library failed
};

/// Thrown by every run-time entry point. `what()` is one message: cause, both values, remedy; a list of
/// differences continues on indented lines.
class error : public std::runtime_error {
public:
    error(error_code code, const std::string& message) : std::runtime_error(message), code_(code) {}
    error(error_code code, const std::string& message, int line)
        : std::runtime_error(message), code_(code), line_(line) {}

    [[nodiscard]] error_code code() const noexcept { return code_; }
    /// Index of the wrapper line that found the fault, or -1 where no plan was running.
    [[nodiscard]] int line() const noexcept { return line_; }

private:
    error_code code_;
    int line_ = -1;
};

} // namespace toroid
