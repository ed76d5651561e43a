// SPDX-License-Identifier: MIT
//
// Draws the steps of one pair as SVG: the contact plane seen along the normal, and the pair from the side.
#pragma once

#include <string>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

std::string draw_story(const PairStory& story, const std::string& title);

}  // namespace lanefold::tools
