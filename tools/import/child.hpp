// SPDX-License-Identifier: MIT
//
// Runs another program and follows its output.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <lanefold/stop.hpp>

namespace lanefold::tools {

struct ChildOutcome {
    int exit_code = -1;  // -1 when a signal ended it
    int signal = 0;
    std::string signal_name;
    std::string said;  // the end of its output, both streams, at most 4096 bytes
};

// Runs arguments[0], found by PATH, without a shell and without an input, in a process group of its own. `on_line`
// gets every line of its output. Throws Failure(bad_input) when it cannot be started. When a stop is requested, the
// child gets SIGTERM, two seconds later SIGKILL, and Failure(interrupted) is thrown. Whatever it has started ends with
// it. Not on Windows: it throws Failure(bad_input).
ChildOutcome run_child(const std::vector<std::string>& arguments, const StopToken& stop,
                       const std::function<void(std::string_view)>& on_line);

}  // namespace lanefold::tools
