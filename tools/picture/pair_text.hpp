// SPDX-License-Identifier: MIT
//
// A pair's story as text: bodies, axes, choice, clipping side by side, points.
#pragma once

#include <string>

#include <lanefold/hull_set.hpp>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

void print_story(const HullSet& hulls, const PairStory& s, const std::string& title);

}  // namespace lanefold::tools
