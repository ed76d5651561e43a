// SPDX-License-Identifier: MIT
//
// Counters of the stages as JSON, with one name for each in all files.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <lanefold/options.hpp>

namespace lanefold::tools {

nlohmann::ordered_json counters_json(const Counters& counters);

}  // namespace lanefold::tools
