// SPDX-License-Identifier: MIT
//
// Windows starts programs otherwise than POSIX, and nobody has written it yet.
#ifdef _WIN32

#include "console/failure.hpp"
#include "import/child.hpp"

namespace lanefold::tools {

ChildOutcome run_child(const std::vector<std::string>& arguments, const StopToken&,
                       const std::function<void(std::string_view)>&) {
    throw bad_input("cannot run '{}' on Windows", arguments[0]);
}

}  // namespace lanefold::tools

#endif
