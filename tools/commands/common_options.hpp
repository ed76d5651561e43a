// SPDX-License-Identifier: MIT
//
// Options that several commands have, read in one way.
#pragma once

#include <string>

#include <lanefold/options.hpp>

#include "console/progress.hpp"

namespace lanefold::tools {

// --isa: throws Failure(bad_input) for a name that is no instruction set of this machine and build.
Isa read_isa(const std::string& name);

// --progress: throws Failure(bad_input) for another name than auto, bar, json and none.
ProgressMode read_progress_mode(const std::string& name);

}  // namespace lanefold::tools
