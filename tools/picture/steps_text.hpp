// SPDX-License-Identifier: MIT
//
// The steps of Sutherland-Hodgman clipping and of contact features as text.
#pragma once

#include "picture/pair_story.hpp"

namespace lanefold::tools {

void print_face_clip(const PairStory& s);
void print_features(const PairStory& s);

}  // namespace lanefold::tools
