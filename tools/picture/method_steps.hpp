// SPDX-License-Identifier: MIT
//
// The steps of the float64 methods that have some: the reference records them while it computes the pair's points.
#pragma once

#include "picture/pair_story.hpp"

namespace lanefold::tools {

// Sets face_clip, with reference, incident and steps, or features; nothing of other methods. The bodies are those of
// the story, and they overlap.
void trace_method(const StoryRequest& request, PairStory& s);

}  // namespace lanefold::tools
