// SPDX-License-Identifier: MIT
//
// Shows how the contacts of a body with a surface arise: the triangles near it, which of them it meets and in which
// directions they may push it, by the oracle in float64; then the library's records, and what the judge says of them.
#pragma once

#include <string>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

// Whether one of the two is a surface.
bool has_surface(const HullSet& hulls, const BodyD& a, const BodyD& b);

// The story as text. request.best is how many triangles of each kind it names, nearest first. Throws Failure(bad_input)
// if the other body is no hull, and for methods that know no surfaces.
std::string tell_ground(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request);

}  // namespace lanefold::tools
