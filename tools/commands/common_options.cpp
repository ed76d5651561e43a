// SPDX-License-Identifier: MIT
//
// See the header.

#include "commands/common_options.hpp"

#include <optional>

#include <lanefold/isa.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {

Isa read_isa(const std::string& name) {
    const std::optional<Isa> isa = parse_isa(name);
    if (!isa) throw bad_input("--isa {}: unknown; this machine and build have: {}", name, available_isa_names());
    // Refused here when the machine lacks it, or when LANEFOLD_ISA says nonsense.
    const IsaChoice choice = choose_isa(*isa);
    if (!choice.status) throw bad_input("{}", choice.status.what);
    return *isa;
}

ProgressMode read_progress_mode(const std::string& name) {
    const std::optional<ProgressMode> mode = parse_progress_mode(name);
    if (!mode) throw bad_input("--progress {}: expected auto, bar, json or none", name);
    return *mode;
}

}  // namespace lanefold::tools
