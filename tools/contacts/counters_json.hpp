// SPDX-License-Identifier: MIT
//
// Counters of the stages by their names, the same in every JSON that has them.
#pragma once

#include <nlohmann/json.hpp>

#include <lanefold/options.hpp>

namespace lanefold::tools {

nlohmann::ordered_json counters_json(const Counters& counters);

}  // namespace lanefold::tools
