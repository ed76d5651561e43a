// SPDX-License-Identifier: MIT
//
// Floats in JSON as people write them.
#pragma once

#include <string>

#include <fmt/format.h>

namespace lanefold::tools {

// The double whose shortest spelling is that of the float: 0.005, not 0.004999999888241291.
inline double as_decimal(float value) { return std::stod(fmt::format("{}", value)); }

}  // namespace lanefold::tools
