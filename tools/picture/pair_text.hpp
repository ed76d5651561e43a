// SPDX-License-Identifier: MIT
//
// A pair's story as text: bodies, axes, choice, clipping side by side, points.
#pragma once

#include <string>

#include <lanefold/feature.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

// "(1, 0, -0.5)" and "edge 3".
std::string vector_text(const Vec3d& v);
std::string feature_text(const Feature& f);
// "8 vertices, 6 faces, ..." and a line with where a body is.
std::string hull_text(const HullRecord& hull);
std::string place_text(const Vec3d& at, const Quat& orientation);

void print_story(const HullSet& hulls, const PairStory& s, const std::string& title);

}  // namespace lanefold::tools
