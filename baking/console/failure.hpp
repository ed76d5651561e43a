// SPDX-License-Identifier: MIT
//
// The exception with which a command fails: its exit code and a message for the user, which main() prints on standard
// error and the Python module raises. Only baking and the rooms above it throw; the libraries below do not.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace lanefold::tools {

// The exit codes of the program, as --help documents them.
enum class ExitCode : int {
    ok = 0,
    violation = 1,    // a result breaks the contract, or a frame of contacts is damaged
    bad_input = 2,    // a file or an option is wrong; nothing was written
    interrupted = 3,  // a signal, or reading or writing failed; finished frames are whole
};

class Failure : public std::runtime_error {
public:
    Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

// throw bad_input("{}: body {} has hull {}, but there are only {} hulls", path, i, h, n);
template <class... Args>
[[nodiscard]] Failure bad_input(fmt::format_string<Args...> text, Args&&... args) {
    return {ExitCode::bad_input, fmt::format(text, std::forward<Args>(args)...)};
}

template <class... Args>
[[nodiscard]] Failure io_failure(fmt::format_string<Args...> text, Args&&... args) {
    return {ExitCode::interrupted, fmt::format(text, std::forward<Args>(args)...)};
}

// Calls `read`, which reads what the program has written itself: what is wrong there is damage.
template <class Read>
auto reading_results(const Read& read) {
    try {
        return read();
    } catch (const Failure& failure) {
        if (failure.code() != ExitCode::bad_input) throw;
        throw Failure(ExitCode::violation, failure.what());
    }
}

}  // namespace lanefold::tools
