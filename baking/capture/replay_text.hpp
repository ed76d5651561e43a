// SPDX-License-Identifier: MIT
//
// A repeated pair as text and as JSON.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "capture/replay.hpp"

namespace lanefold::tools {

// One line: what the contact is, and whether everything agrees.
std::string replay_line(const Capture& capture, std::size_t i, const PairReplay& replay);

// Input, stages and verdict, over several lines.
std::string replay_details(const Capture& capture, std::size_t i, const PairReplay& replay);

nlohmann::ordered_json replay_json(const Capture& capture, std::size_t i, const PairReplay& replay);

}  // namespace lanefold::tools
