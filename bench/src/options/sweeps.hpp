// SPDX-License-Identifier: MIT
//
// The names of --sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanefold::bench {

// The part of a name such as vertices-64 behind its kind, or nothing if it is of another kind.
std::optional<std::string> part_of(const std::string& name, const std::string& kind);

// The single sweeps that these names stand for: "vertices-N" and "share-SCENE". Throws for an unknown name.
std::vector<std::string> single_sweeps(const std::vector<std::string>& names);

}  // namespace lanefold::bench
